//! Gives the shared library its name for the linker.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The number changes when programs have to be compiled anew.
    let abi = "0";
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if os == "linux" || os.ends_with("bsd") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libdralloc.so.{abi}");
    }
}

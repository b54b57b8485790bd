//! Runs `dralloc` on a terminal, as a person sees it.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Runs `dralloc` on a terminal of so many columns, and returns all that is shown there,
/// with colours.
pub(crate) fn dralloc_on_terminal(arguments: &[&str], columns: u16) -> String {
    let mut command = super::program("dralloc");
    command.args(arguments);
    let (shown, code) = on_terminal(command, columns);
    assert_eq!(code, 0, "{shown}");
    shown
}

/// Runs a command in the root of the repository, on a terminal of so many columns; returns
/// all that is shown there, with colours, and the exit code.
pub(crate) fn on_terminal(mut command: Command, columns: u16) -> (String, i32) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let screen = openpt(flags).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let size = Winsize {
        ws_row: 50,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&screen, size).unwrap();
    let name = ptsname(&screen, Vec::new()).unwrap();
    let path = std::ffi::OsStr::from_bytes(name.to_bytes());
    let terminal = OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .unwrap();
    let mut child = command
        .current_dir(super::root())
        .env("TERM", "xterm-256color")
        .env_remove("NO_COLOR")
        .env_remove("CI")
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .stdout(terminal.try_clone().unwrap())
        .stderr(terminal.try_clone().unwrap())
        .spawn()
        .unwrap();
    // The screen is at its end when nobody has the terminal any more.
    drop((terminal, command));
    let (mut shown, mut buffer) = (Vec::new(), [0; 4096]);
    let mut screen = File::from(screen);
    while let Ok(count @ 1..) = screen.read(&mut buffer) {
        shown.extend_from_slice(&buffer[..count]);
    }
    let code = child.wait().unwrap().code().unwrap();
    let shown = String::from_utf8(shown).unwrap();
    (shown.replace("\r\n", "\n"), code)
}

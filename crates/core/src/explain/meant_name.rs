//! [`meant_name`]: which published name a wrong one may have meant.

/// Returns the name of an attribute or a capacity that devices publish, and that was perhaps
/// meant by one that none of them has: the same name in another domain, or else one that is
/// spelt nearly alike. Names are full, such as `gpu.example.com/numaNode`, or as devices
/// write them; of several the first is taken.
///
/// # Examples
///
/// ```
/// use dralloc::meant_name;
///
/// let published = ["gpu.example.com/model", "gpu.example.com/numaNode"];
/// let meant = meant_name("vendor.example.com/numaNode", published);
/// assert_eq!(meant, Some("gpu.example.com/numaNode"));
/// assert_eq!(meant_name("gpu.example.com/mdoel", published), Some(published[0]));
/// assert_eq!(meant_name("gpu.example.com/memory", published), None);
/// ```
pub fn meant_name<'n>(
    name: &str,
    published: impl IntoIterator<Item = &'n str> + Clone,
) -> Option<&'n str> {
    let id_of = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    let id = id_of(name);
    let mut known = published.clone().into_iter();
    let of_other_domain = known.find(|known| *known != name && id_of(known) == id);
    of_other_domain.or_else(|| {
        let known = published.into_iter();
        // Domains are long: what is misspelt is to be told apart by the name alone, too.
        let known = known.filter(|known| dralloc_cel::nearest(&id, [&*id_of(known)]).is_some());
        dralloc_cel::nearest(name, known)
    })
}

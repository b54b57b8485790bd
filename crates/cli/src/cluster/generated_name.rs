//! Names of the claims that templates make.

/// Longest part before the hash: a name of 63 characters has room for a
/// hyphen and five more, as in Kubernetes.
const BASE_MAX_LENGTH: usize = 57;

/// Letters that spell no words, as in Kubernetes' generated names.
const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";

/// Returns `<pod>-<entry>-<hash>`, the same for the same pod and entry.
///
/// Kubernetes draws the last part at random; here it is a hash of the full
/// names, so that an answer can be compared with an earlier one. Names that
/// are taken by others are passed over.
pub(crate) fn generated_name(
    namespace: &str,
    pod: &str,
    entry: &str,
    is_free: impl Fn(&str) -> bool,
) -> String {
    let mut base = format!("{pod}-{entry}");
    if base.len() > BASE_MAX_LENGTH {
        // Both names keep their share, so that entries can be told apart.
        let share = |name: &str| {
            let length = name.len() * (BASE_MAX_LENGTH - 1) / base.len();
            name.chars().take(length).collect::<String>()
        };
        base = format!(
            "{}-{}",
            share(pod).trim_end_matches(['-', '.']),
            share(entry)
        );
    }
    let base = base.trim_end_matches(['-', '.']);
    let mut attempt = 0_u64;
    loop {
        let name = format!("{base}-{}", hash(&[namespace, pod, entry], attempt));
        if is_free(&name) {
            return name;
        }
        attempt += 1;
    }
}

/// Spells 64-bit FNV-1a of the texts in five letters.
fn hash(texts: &[&str], attempt: u64) -> String {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let attempt = attempt.to_le_bytes();
    // No text has a zero byte, so that it can separate them.
    let bytes = texts
        .iter()
        .flat_map(|text| text.bytes().chain([0]))
        .chain(attempt);
    let mut hash = bytes.fold(OFFSET, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    });
    // The low bits of a product depend on the low bits of its factors alone.
    hash ^= hash >> 32;
    let mut name = String::new();
    for _ in 0..5 {
        let letters = ALPHABET.len() as u64;
        let letter = usize::try_from(hash % letters).unwrap_or_default();
        name.push(char::from(ALPHABET[letter]));
        hash /= letters;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_stable() {
        assert_eq!(
            generated_name("default", "pod", "gpu", |_| true),
            "pod-gpu-2sf56"
        );
    }

    #[test]
    fn taken_names_are_passed_over() {
        let first = generated_name("default", "pod", "gpu", |_| true);
        let second = generated_name("default", "pod", "gpu", |name| name != first);
        assert_eq!(second, "pod-gpu-phd54");
    }

    #[test]
    fn long_names_keep_both_parts() {
        let name = generated_name("default", &"p".repeat(100), &"e".repeat(50), |_| true);
        assert_eq!(name, format!("{}-{}-6l6pq", "p".repeat(37), "e".repeat(18)));
        assert!(name.len() <= 63);
    }
}

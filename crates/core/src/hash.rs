//! Hash maps without randomness; nothing may depend on the order of their entries.

use std::hash::{BuildHasherDefault, DefaultHasher};

/// Hashes a value the same way each time.
pub(crate) type FixedHasher = BuildHasherDefault<DefaultHasher>;

/// Is a hash map for lookups.
#[expect(clippy::disallowed_types, reason = "its order is never asked for")]
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, FixedHasher>;

/// Is a hash set for lookups.
#[expect(clippy::disallowed_types, reason = "its order is never asked for")]
pub(crate) type HashSet<K> = std::collections::HashSet<K, FixedHasher>;

/// Is a hash map whose clones share what is the same.
pub(crate) type PersistentMap<K, V> =
    imbl::GenericHashMap<K, V, FixedHasher, imbl::shared_ptr::DefaultSharedPtr>;

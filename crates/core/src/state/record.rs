//! [`Record`]: one device held by one owner.

use dralloc_quantity::Amount;

use super::ShareId;
use crate::model::{AllocationResult, DeviceId, Map, QualifiedName, Quantity, Str};
use crate::store::{DeviceKey, PoolKey, SharedCatalog};

/// Is one device held by one owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) device: DeviceKey,
    pub(crate) pool: PoolKey,
    pub(crate) held_as: HeldAs,
}

/// Says how a device is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HeldAs {
    /// For one owner alone.
    Whole,
    /// As a share, which may have an id, and may take amounts of its capacities.
    Share {
        id: Option<ShareId>,
        consumed: Option<Map<QualifiedName, Amount>>,
    },
}

impl Record {
    /// Returns a record of a share.
    ///
    /// A negative amount cannot be trusted: it would make room that is not
    /// there. The device is held whole then.
    pub(crate) fn share(
        (pool, device): (PoolKey, DeviceKey),
        id: Option<Str>,
        consumed: Option<&Map<QualifiedName, Quantity>>,
    ) -> Self {
        let negative = |all: &Map<QualifiedName, Quantity>| {
            all.values().any(|amount| amount.amount().is_negative())
        };
        if consumed.is_some_and(negative) {
            return Self::whole((pool, device));
        }
        let amounts = |all: &Map<QualifiedName, Quantity>| {
            all.iter()
                .map(|(name, amount)| (name.clone(), amount.amount().clone()))
                .collect()
        };
        let consumed = consumed.map(amounts);
        let id = id.map(ShareId::Written);
        Self {
            device,
            pool,
            held_as: HeldAs::Share { id, consumed },
        }
    }

    /// Returns a record of a device that is held for one owner alone.
    pub(crate) fn whole((pool, device): (PoolKey, DeviceKey)) -> Self {
        Self {
            device,
            pool,
            held_as: HeldAs::Whole,
        }
    }
}

/// Returns what an allocation holds.
///
/// Access for administration holds nothing. A share id makes a share, as long
/// as the feature is on; everything else is held whole.
pub(crate) fn records_of(
    allocation: &AllocationResult,
    shares: bool,
    catalog: &SharedCatalog,
) -> Vec<Record> {
    let mut catalog = catalog.lock();
    let results = allocation.devices.results.iter();
    let held = results.filter(|result| result.admin_access != Some(true));
    held.map(|result| {
        let id = DeviceId::new(
            result.driver.clone(),
            result.pool.clone(),
            result.device.clone(),
        );
        let keys = catalog.keys(&id);
        match &result.share_id {
            Some(share) if shares => {
                Record::share(keys, Some(share.clone()), result.consumed_capacity.as_ref())
            }
            _ => Record::whole(keys),
        }
    })
    .collect()
}

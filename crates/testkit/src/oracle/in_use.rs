//! Whether a device is taken.

use super::requests::Alternative;
use super::twins;
use super::world::{Pick, Place, World};

/// Returns whether a device cannot be given because somebody has it.
///
/// Shares of a device that may be shared are limited by capacity, not by this.
/// Shares of a device that may no longer be shared keep it whole. Access for
/// administration takes nothing away: it is refused only what its own claim
/// has already, and blocks nobody. Nobody gets a device that is taken under another
/// name.
pub(super) fn is_in_use(
    world: &World<'_>,
    picks: &[Pick<'_, '_>],
    alternative: &Alternative<'_>,
    place: Place,
) -> bool {
    let offer = world.offer(place);
    let mut whole = picks
        .iter()
        .filter(|pick| pick.place == place && !pick.is_share);
    if alternative.is_admin {
        return whole.any(|pick| pick.alternative.claim == alternative.claim);
    }
    world.is_held_whole(&offer.id)
        || whole.any(|pick| !pick.alternative.is_admin)
        || !world.is_shareable(offer.device) && world.has_held_shares(&offer.id)
        || twins::is_taken(world, picks, place)
}

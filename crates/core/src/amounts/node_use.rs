//! [`NodeUse`]: what one owner uses of a node.

use serde::{Deserialize, Serialize};

use crate::error::{Code, Error};
use crate::model::{Amounts, Str};

/// Is what an owner, such as a pod, uses of the amounts of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeUse {
    /// Who uses it, such as the uid of a pod; it uses amounts of one node only.
    pub owner: Str,
    /// Name of the node, whether there is one or not.
    pub node: Str,
    /// How much; at least 0 each.
    pub amounts: Amounts,
}

/// Checks that amounts can be used.
///
/// # Errors
///
/// [`Code::Invalid`] for a negative one: it would make room that is not there.
pub(crate) fn check(amounts: &Amounts) -> Result<(), Error> {
    let mut all = amounts.iter();
    match all.find(|(_, quantity)| quantity.amount().is_negative()) {
        Some((name, quantity)) => {
            let message = format!("`{quantity}`, expected 0 or more");
            Err(Error::new(Code::Invalid, message).at(format!("amounts[{name}]")))
        }
        None => Ok(()),
    }
}

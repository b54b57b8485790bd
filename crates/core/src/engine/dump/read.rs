//! From a dump to an engine.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::document::{
    ClaimState, Document as Dump, HeldRecord, HoldingState, KIND, LastConsumption, ObjectIdentity,
    OwnerState, TypeMeta,
};
use super::recorded::{Recorded, identity};
use super::{documents, features, gone, twins, uses};
use crate::engine::Engine;
use crate::engine::books::{Assumed, KnownClaim};
use crate::engine::documents::Document;
use crate::engine::form::{OfKind, check_kind, read};
use crate::engine::objects::identity_of;
use crate::error::{Code, Error};
use crate::model::{
    AttributeOverlay, DeviceClass, DeviceHealth, DeviceHold, DeviceId, DeviceTaintRule, Json, Map,
    Node, ResourceSlice, Str, Topology,
};
use crate::state::{Grant, Holding, MAX_USERS, Record};
use crate::store::{Identities, Identity};
use crate::wire::{Decoder, from_json, from_json_strict};

impl Engine {
    /// Returns an engine with all that a dump says: it answers as the one that
    /// was dumped, and later changes do to it what they would do to that.
    ///
    /// It is another engine all the same: transactions of the one cannot be
    /// committed to the other. What the dump of a [`Transaction`](crate::Transaction)
    /// decided counts as done.
    ///
    /// # Errors
    ///
    /// With the path of the field: [`Code::Malformed`] if the text is no dump or
    /// an object in it cannot be read, [`Code::Unsupported`] for a dump of another
    /// version, [`Code::UnknownField`], [`Code::Duplicate`] where two things have
    /// one name, [`Code::NotFound`] and [`Code::Invalid`] where the parts
    /// contradict each other, [`Code::LimitExceeded`].
    pub fn load(dump: &str) -> Result<Self, Error> {
        let found: TypeMeta = from_json(dump).map_err(|fault| fault.error)?;
        check_kind(&found.api_version, &found.kind, KIND)?;
        let document: Dump = from_json_strict(dump).map_err(|fault| fault.error)?;
        let mut engine = Self::new(features::read(&document.features)?);
        Loader {
            engine: &mut engine,
            decoder: Decoder::new().strict(true),
            nodes: Recorded::new("newest.nodes", &document.newest.nodes)?,
            slices: Recorded::new("newest.resourceSlices", &document.newest.resource_slices)?,
        }
        .load(document)?;
        Ok(engine)
    }
}

/// Fills an engine.
struct Loader<'a> {
    engine: &'a mut Engine,
    decoder: Decoder,
    /// Newer states of nodes and slices.
    nodes: Recorded,
    slices: Recorded,
}

impl Loader<'_> {
    fn load(mut self, document: Dump) -> Result<(), Error> {
        each("nodes", document.nodes, |json| self.node(&json))?;
        // Overlays come before the slices that they are laid over.
        each("topologies", document.topologies, |json| {
            self.document::<Topology>(&json)
        })?;
        each("attributeOverlays", document.attribute_overlays, |json| {
            self.document::<AttributeOverlay>(&json)
        })?;
        each("deviceHealths", document.device_healths, |json| {
            self.document::<DeviceHealth>(&json)
        })?;
        each("deviceHolds", document.device_holds, |json| {
            self.document::<DeviceHold>(&json)
        })?;
        for hold in self.engine.documents.device_holds.clone().values() {
            self.engine.note_count(hold);
        }
        each("deviceClasses", document.device_classes, |json| {
            self.class(&json)
        })?;
        each("resourceSlices", document.resource_slices, |json| {
            self.slice(&json)
        })?;
        each("deviceTaintRules", document.device_taint_rules, |json| {
            self.taint_rule(&json)
        })?;
        twins::declare(self.engine, document.twins);
        each("departed", document.departed, |one| {
            twins::restore(self.engine, one)
        })?;
        each("holdings", document.holdings, |one| self.holding(&one))?;
        each("lastConsumption", document.last_consumption, |one| {
            self.last_consumption(&one)
        })?;
        each("nodeUses", document.node_uses, |one| {
            uses::read(&mut self.engine.uses, one)
        })?;
        let known = document.known_owners.into_iter();
        self.engine.owners.extend(known.map(|owner| (owner, None)));
        each("claims", document.claims, |one| self.claim(one))?;
        self.nodes.finish("newest.nodes")?;
        self.slices.finish("newest.resourceSlices")?;
        let engine = self.engine;
        gone::read(engine, document.gone)?;
        engine.revision = u64::try_from(document.revision).map_err(|_| {
            let message = format!("`{}`, expected at least 0", document.revision);
            Error::new(Code::Invalid, message).at("revision")
        })?;
        *engine.looked_at.get_mut() |= document.looked_at;
        Ok(())
    }

    fn document<T: Document + OfKind>(&mut self, json: &Json) -> Result<(), Error> {
        let object: T = read(&mut self.decoder, json)?;
        documents::keep(self.engine, object)
    }

    fn node(&mut self, json: &Json) -> Result<(), Error> {
        let node: Node = read(&mut self.decoder, json)?;
        let node = Arc::new(node);
        let engine = &mut *self.engine;
        let identity = self.nodes.identity_of(&node.metadata);
        keep(&mut engine.objects.nodes, identity, &node)?;
        let inventory = Arc::make_mut(&mut engine.inventory);
        inventory.put_node(node, &mut engine.catalog.lock());
        Ok(())
    }

    fn class(&mut self, json: &Json) -> Result<(), Error> {
        let class: DeviceClass = read(&mut self.decoder, json)?;
        let class = Arc::new(class);
        let engine = &mut *self.engine;
        let identity = identity_of(&class.metadata);
        if identity.uid.is_none() {
            engine.objects.classes.anonymous.push(Arc::clone(&class));
        } else {
            keep(&mut engine.objects.classes.known, identity, &class)?;
        }
        Arc::make_mut(&mut engine.inventory).push_class(class);
        Ok(())
    }

    fn slice(&mut self, json: &Json) -> Result<(), Error> {
        let slice: ResourceSlice = read(&mut self.decoder, json)?;
        let engine = &mut *self.engine;
        let is_anonymous = identity_of(&slice.metadata).uid.is_none();
        let objects = &mut engine.objects;
        objects.places += u64::from(is_anonymous);
        let place = if is_anonymous { objects.places } else { 0 };
        let stored = Arc::new(engine.stored(slice, place));
        let objects = &mut engine.objects;
        if is_anonymous {
            objects.slices.anonymous.push(Arc::clone(&stored));
        } else {
            let identity = self.slices.identity_of(&stored.published().metadata);
            keep(&mut objects.slices.known, identity, &stored)?;
        }
        let inventory = Arc::make_mut(&mut engine.inventory);
        inventory.exchange_slice(None, Some(&stored), false, &mut engine.catalog.lock());
        Ok(())
    }

    fn taint_rule(&mut self, json: &Json) -> Result<(), Error> {
        let rule: DeviceTaintRule = read(&mut self.decoder, json)?;
        let rule = Arc::new(rule);
        let engine = &mut *self.engine;
        let identity = identity_of(&rule.metadata);
        if identity.uid.is_none() {
            engine.objects.taint_rules.anonymous.push(Arc::clone(&rule));
        } else {
            keep(&mut engine.objects.taint_rules.known, identity, &rule)?;
        }
        let inventory = Arc::make_mut(&mut engine.inventory);
        inventory.exchange_taint_rule(None, Some(rule), false, &mut engine.catalog.lock());
        Ok(())
    }

    fn holding(&mut self, state: &OwnerState) -> Result<(), Error> {
        let owner = &state.owner;
        let holding = self.has(&state.has).map_err(|error| error.under("has"))?;
        let is_new = self.engine.state.holding(owner).is_none();
        if !is_new || self.engine.assumed.contains_key(owner) {
            let message = format!("owner `{owner}` comes twice, expected each owner once");
            return Err(Error::new(Code::Duplicate, message).at("owner"));
        }
        if holding.is_empty() {
            let message = format!("owner `{owner}` has nothing, expected devices or users");
            return Err(Error::new(Code::Invalid, message).at("has"));
        }
        if let Some(assumed) = &state.assumed {
            let users: BTreeSet<Str> = assumed.reserved_for.iter().cloned().collect();
            let assumed = Assumed {
                devices: assumed.devices,
                users,
            };
            self.engine.assumed.insert(owner.clone(), assumed);
        }
        Arc::make_mut(&mut self.engine.state).set(owner, &Arc::new(holding));
        Ok(())
    }

    fn has(&mut self, state: &HoldingState) -> Result<Holding, Error> {
        // Those that an event told of, and those that a transaction added.
        let limit = 2 * MAX_USERS;
        if state.reserved_for.len() > limit {
            let message = format!(
                "{} users, expected at most {limit}",
                state.reserved_for.len()
            );
            return Err(Error::new(Code::LimitExceeded, message).at("reservedFor"));
        }
        let mut records = Vec::with_capacity(state.devices.len());
        for (place, record) in state.devices.iter().enumerate() {
            let record = self.record(record);
            records.push(record.map_err(|error| error.under(&format!("devices[{place}]")))?);
        }
        Ok(Holding {
            records,
            users: state.reserved_for.iter().cloned().collect(),
            releasing: state.releasing,
            grant: state
                .allocation
                .clone()
                .map(|result| Grant::Written(Arc::new(result))),
        })
    }

    fn record(&mut self, record: &HeldRecord) -> Result<Record, Error> {
        let HeldRecord {
            driver,
            pool,
            device,
            share_id,
            consumed_capacity: consumed,
        } = record;
        let mut amounts = consumed.iter().flat_map(Map::iter);
        if let Some((name, amount)) = amounts.find(|(_, amount)| amount.sign() < 0) {
            let message =
                format!("`{amount}` of `{name}`, expected an amount that is not negative");
            return Err(Error::new(Code::Invalid, message).at("consumedCapacity"));
        }
        let id = DeviceId::new(driver.clone(), pool.clone(), device.clone());
        let keys = self.engine.catalog.lock().keys(&id);
        Ok(if share_id.is_none() && consumed.is_none() {
            Record::whole(keys)
        } else {
            Record::share(keys, share_id.clone(), consumed.as_ref())
        })
    }

    fn last_consumption(&mut self, last: &LastConsumption) -> Result<(), Error> {
        let id = DeviceId::new(last.driver.clone(), last.pool.clone(), last.device.clone());
        let (_, device) = self.engine.catalog.lock().keys(&id);
        match self.engine.state.device(device) {
            None => {
                let message = format!("device `{id}` is not held, expected one of `holdings`");
                return Err(Error::new(Code::NotFound, message));
            }
            Some(held) if held.last_consumption().is_some() => {
                let message = format!("device `{id}` comes twice, expected each device once");
                return Err(Error::new(Code::Duplicate, message));
            }
            Some(_) => {}
        }
        let state = Arc::make_mut(&mut self.engine.state);
        state.remember(device, &last.consumes_counters);
        Ok(())
    }

    fn claim(&mut self, state: ClaimState) -> Result<(), Error> {
        let identity = identity(ObjectIdentity {
            name: state.name,
            uid: state.uid,
            resource_version: state.resource_version,
        })?;
        let owner = identity.uid.as_ref().unwrap_or(&identity.name).clone();
        let holding = match &state.last_event {
            Some(said) => Arc::new(self.has(said).map_err(|error| error.under("lastEvent"))?),
            None => self
                .engine
                .state
                .holding(&owner)
                .cloned()
                .unwrap_or_default(),
        };
        let name = identity.name.clone();
        self.engine.owners.insert(owner.clone(), Some(name));
        let known = KnownClaim { owner, holding };
        let named = |error: Error| error.at("");
        check_new(&self.engine.claims, &identity).map_err(named)?;
        self.engine.claims.put(identity, known);
        Ok(())
    }
}

/// Reads the entries of a list; an error has its place.
pub(super) fn each<T>(
    name: &str,
    list: Vec<T>,
    mut read: impl FnMut(T) -> Result<(), Error>,
) -> Result<(), Error> {
    for (place, one) in list.into_iter().enumerate() {
        read(one).map_err(|error| error.under(&format!("{name}[{place}]")))?;
    }
    Ok(())
}

/// Checks that no other object has the name or the uid.
pub(super) fn check_new<T>(known: &Identities<T>, identity: &Identity) -> Result<(), Error> {
    known.check(identity)?;
    if known.get(&identity.name).is_some() {
        let message = format!(
            "`{}` has the name of another, expected its own",
            identity.name
        );
        return Err(Error::new(Code::Duplicate, message));
    }
    Ok(())
}

fn keep<T>(
    known: &mut Identities<Arc<T>>,
    identity: Identity,
    object: &Arc<T>,
) -> Result<(), Error> {
    check_new(known, &identity)?;
    known.put(identity, Arc::clone(object));
    Ok(())
}

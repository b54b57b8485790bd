//! Leaves of the tree: domains with direct links inside.

use super::classes::Class;
use super::filter::State;
use super::mesh::{Goal, Mesh};
use super::tables::{Tables, Weighs};
use crate::table::members;
use crate::watch::Watch;

impl<'a> Tables<'a> {
    /// Returns the meshes, where their sets differ.
    pub(super) fn meshes(&self) -> &'a [Mesh] {
        match self.weighs {
            Weighs::Nothing => &[],
            Weighs::Links(parts) | Weighs::Rings(parts, ..) => parts.meshes(),
        }
    }

    /// Returns the mesh that a domain is, or is inside of, and which sets of it count.
    pub(super) fn mesh(&self, domain: usize) -> Option<(&'a Mesh, Goal)> {
        let mesh = self.meshes().get(self.mesh_of[domain]? as usize)?;
        let goal = match self.weighs {
            Weighs::Nothing => return None,
            Weighs::Links(_) => Goal::Links(self.worth),
            Weighs::Rings(_, rings, links) => Goal::Rings(rings, links),
        };
        Some((mesh, goal))
    }

    /// Returns the first best devices of a mesh, or a domain inside of it, and their value.
    pub(super) fn of_mesh<W: Watch>(
        &self,
        domain: usize,
        count: usize,
        watch: &mut W,
    ) -> Result<Option<(i64, Vec<usize>)>, W::Stop> {
        let Some((mesh, goal)) = self.mesh(domain) else {
            return Ok(None);
        };
        let goal = (goal, self.packing);
        let best = mesh.best((domain, count), self.filter, goal, watch)?;
        Ok(best.map(|(value, set)| {
            let places = members(usize::from(set)).into_iter();
            let devices = places.filter_map(|place| mesh.devices.get(place).copied());
            (value, devices.collect())
        }))
    }

    /// Returns how many devices of a domain are free, and how many required.
    pub(super) fn counts(&self, domain: usize) -> (u32, u32) {
        if self.mesh_of[domain].is_none() {
            let class = &self.classes.all[self.class_of[domain] as usize];
            return (class.free, class.required);
        }
        // What is inside of a mesh has no class.
        let devices = self.tree.devices(&self.tree.domains()[domain]).iter();
        devices.fold((0, 0), |(free, required), &device| {
            let state = self.filter.get(device as usize);
            let is_free = u32::from(state != State::Held);
            (free + is_free, required + u32::from(state == State::Must))
        })
    }

    /// Returns the class of a mesh.
    pub(super) fn mesh_class<W: Watch>(
        &mut self,
        number: usize,
        watch: &mut W,
    ) -> Result<u32, W::Stop> {
        let Some((mesh, goal)) = self.mesh(number) else {
            return Ok(0);
        };
        let states = mesh.devices.iter().map(|&device| self.filter.get(device));
        let states = states.fold(0_u32, |key, state| key << 2 | state as u32);
        let key = vec![3, mesh.shape, states];
        if let Some(&known) = self.classes.numbers.get(&key) {
            return Ok(known);
        }
        let (free, required) = self.counts(number);
        let class = Class {
            table: mesh.values(self.filter, self.count, (goal, self.packing), watch)?,
            free,
            required,
        };
        Ok(self.classes.add(key, class))
    }
}

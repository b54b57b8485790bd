//! Questions about claims.

use dralloc::{AllocateOptions, Error, PlaceOptions};
use dralloc_forms::{CallOptions, recordable};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Transaction;
use crate::claims::PreparedClaims;
use crate::document::{EXPLANATION, RUNNER_UP, document};
use crate::failure::Failure;
use crate::node_list::NodeList;
use crate::options::{self, Chosen, Options};
use crate::outcome::{self, Numbers, Outcome};
use crate::placement::Placement;
use crate::watch::Watch;
use crate::workspace::Workspace;

/// Is how a question is asked.
pub(super) struct How<'a, 'py> {
    pub(super) options: Option<&'a Bound<'py, Options>>,
    pub(super) workspace: Option<&'a Bound<'py, Workspace>>,
    pub(super) fields: Option<&'a Bound<'py, PyDict>>,
}

impl Transaction {
    /// Asks something that may take long; if a signal ends it nothing has changed.
    pub(super) fn watched<T: Send>(
        &self,
        py: Python<'_>,
        how: &How<'_, '_>,
        ask: impl FnOnce(
            &mut recordable::Transaction,
            &CallOptions,
            Option<&Watch>,
            &mut dralloc::Workspace,
        ) -> Result<T, Failure>
        + Send,
    ) -> PyResult<T> {
        let chosen = Chosen::of(how.options, how.fields);
        let chosen = chosen.map_err(|failure| failure.raise(py))?;
        let options = chosen.get();
        let asked = |begun: &mut recordable::Transaction, room: &mut dralloc::Workspace| {
            // What is written has only what the caller asked for: no end of the call, and
            // no savepoint.
            if begun.is_recorded() && options.timeout.is_none() {
                return ask(begun, options, None, room);
            }
            let before = begun.savepoint();
            let watch = Watch::over(options.timeout);
            let answer = ask(begun, options, Some(&watch), room);
            if let Err(raised) = watch.raised() {
                begun.rollback(&before)?;
                return Err(raised);
            }
            answer
        };
        if let Some(workspace) = how.workspace {
            let lent = workspace.get().lend();
            let mut room = lent.map_err(|failure| failure.raise(py))?;
            let room = &mut **room;
            return self.with(py, |begun| asked(begun, room));
        }
        let workspaces = &self.engine.workspaces;
        self.with(py, |begun| {
            let mut room = workspaces.take();
            let answer = asked(begun, &mut room);
            workspaces.give_back(room);
            answer
        })
    }

    /// Asks something about claims on a node.
    pub(super) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        claims: &Bound<'_, PreparedClaims>,
        how: &How<'_, '_>,
        ask: impl FnOnce(
            &mut recordable::Transaction,
            &recordable::Claims,
            &AllocateOptions<'_>,
            &mut dralloc::Workspace,
        ) -> Result<T, Error>
        + Send,
    ) -> PyResult<T> {
        let claims = &claims.get().0;
        self.watched(py, how, |begun, options, watch, room| {
            let options = options::allocate(options, watch);
            Ok(ask(begun, claims, &options, room)?)
        })
    }

    /// Asks something about claims on many nodes.
    fn ask_nodes(
        &self,
        py: Python<'_>,
        claims: &Bound<'_, PreparedClaims>,
        nodes: Option<&Bound<'_, NodeList>>,
        how: &How<'_, '_>,
        ask: impl FnOnce(
            &mut recordable::Transaction,
            &recordable::Claims,
            &PlaceOptions<'_>,
            &mut dralloc::Workspace,
        ) -> Result<dralloc::Placement, Error>
        + Send,
    ) -> PyResult<Placement> {
        let claims = &claims.get().0;
        let nodes = nodes.map(|nodes| &nodes.get().0);
        let placement = self.watched(py, how, |begun, options, watch, room| {
            let options = options::place(options, watch);
            let options = match nodes {
                Some(nodes) => options.node_list(nodes),
                None => options,
            };
            Ok(ask(begun, claims, &options, room)?)
        })?;
        Ok(placement.into())
    }
}

#[pymethods]
impl Transaction {
    #[pyo3(signature = (node, claims, *, options=None, workspace=None, **fields))]
    fn allocate<'py>(
        &self,
        py: Python<'py>,
        node: &str,
        claims: &Bound<'py, PreparedClaims>,
        options: Option<&Bound<'py, Options>>,
        workspace: Option<&Bound<'py, Workspace>>,
        fields: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Outcome>> {
        let how = How {
            options,
            workspace,
            fields,
        };
        let outcome = self.ask(py, claims, &how, |it, claims, options, room| {
            it.allocate(node, claims, options, room)
        })?;
        Outcome::of(py, outcome)
    }

    /// Allocates by numbers: the node by its place in a list, devices by number.
    #[pyo3(signature = (nodes, place, claims, *, options=None, workspace=None, **fields))]
    #[expect(clippy::too_many_arguments, reason = "most of them have a default")]
    fn allocate_devices<'py>(
        &self,
        py: Python<'py>,
        nodes: &Bound<'py, NodeList>,
        place: usize,
        claims: &Bound<'py, PreparedClaims>,
        options: Option<&Bound<'py, Options>>,
        workspace: Option<&Bound<'py, Workspace>>,
        fields: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Py<PyAny>, Vec<Numbers>)> {
        let how = How {
            options,
            workspace,
            fields,
        };
        let Some(node) = nodes.get().0.name(place) else {
            return Err(PyIndexError::new_err("no node has that place"));
        };
        let (outcome, numbers) = self.ask(py, claims, &how, |it, claims, options, room| {
            let outcome = it.allocate(node, claims, options, room)?;
            let numbers = outcome.allocation().map_or_else(Vec::new, |allocation| {
                outcome::numbers(it.get().snapshot(), allocation)
            });
            Ok((outcome, numbers))
        })?;
        Ok((outcome::kind(py, &outcome)?, numbers))
    }

    #[pyo3(signature = (node, claims, *, options=None, workspace=None, **fields))]
    fn satisfiable<'py>(
        &self,
        py: Python<'py>,
        node: &str,
        claims: &Bound<'py, PreparedClaims>,
        options: Option<&Bound<'py, Options>>,
        workspace: Option<&Bound<'py, Workspace>>,
        fields: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Outcome>> {
        let how = How {
            options,
            workspace,
            fields,
        };
        let outcome = self.ask(py, claims, &how, |it, claims, options, room| {
            it.satisfiable(node, claims, options, room)
        })?;
        Outcome::of(py, outcome)
    }

    #[pyo3(signature = (claims, *, nodes=None, options=None, workspace=None, **fields))]
    fn place(
        &self,
        py: Python<'_>,
        claims: &Bound<'_, PreparedClaims>,
        nodes: Option<&Bound<'_, NodeList>>,
        options: Option<&Bound<'_, Options>>,
        workspace: Option<&Bound<'_, Workspace>>,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Placement> {
        let how = How {
            options,
            workspace,
            fields,
        };
        self.ask_nodes(py, claims, nodes, &how, |it, claims, options, room| {
            it.place(claims, options, room)
        })
    }

    #[pyo3(signature = (claims, *, nodes=None, options=None, workspace=None, **fields))]
    fn place_and_allocate(
        &self,
        py: Python<'_>,
        claims: &Bound<'_, PreparedClaims>,
        nodes: Option<&Bound<'_, NodeList>>,
        options: Option<&Bound<'_, Options>>,
        workspace: Option<&Bound<'_, Workspace>>,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Placement> {
        let how = How {
            options,
            workspace,
            fields,
        };
        self.ask_nodes(py, claims, nodes, &how, |it, claims, options, room| {
            it.place_and_allocate(claims, options, room)
        })
    }

    #[pyo3(signature = (node, claims, *, options=None, workspace=None, **fields))]
    fn explain(
        &self,
        py: Python<'_>,
        node: &str,
        claims: &Bound<'_, PreparedClaims>,
        options: Option<&Bound<'_, Options>>,
        workspace: Option<&Bound<'_, Workspace>>,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let how = How {
            options,
            workspace,
            fields,
        };
        let (json, text) = self.ask(py, claims, &how, |it, claims, options, room| {
            let explanation = it.get().explain(node, claims.get(), options, room)?;
            Ok((dralloc_forms::text(&explanation)?, explanation.to_string()))
        })?;
        Ok(EXPLANATION.get(py)?.call1((json, text))?.unbind())
    }

    #[pyo3(signature = (node, claims, *, options=None, workspace=None, **fields))]
    fn runner_up(
        &self,
        py: Python<'_>,
        node: &str,
        claims: &Bound<'_, PreparedClaims>,
        options: Option<&Bound<'_, Options>>,
        workspace: Option<&Bound<'_, Workspace>>,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let how = How {
            options,
            workspace,
            fields,
        };
        let runner_up = self.ask(py, claims, &how, |it, claims, options, room| {
            dralloc_forms::runner_up(&it.get().runner_up(node, claims.get(), options, room)?)
        })?;
        document(py, &RUNNER_UP, &runner_up)
    }
}

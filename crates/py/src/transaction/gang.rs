//! Gangs: the pods of a group over several nodes.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Transaction;
use super::question::How;
use crate::claims::PreparedClaims;
use crate::document::{GANG, document};
use crate::node_list::NodeList;
use crate::options::{self, Options};
use crate::workspace::Workspace;

#[pymethods]
impl Transaction {
    #[pyo3(signature = (members, *, nodes=None, options=None, workspace=None, **fields))]
    fn gang<'py>(
        &self,
        py: Python<'py>,
        members: Vec<Bound<'py, PreparedClaims>>,
        nodes: Option<&Bound<'py, NodeList>>,
        options: Option<&Bound<'py, Options>>,
        workspace: Option<&Bound<'py, Workspace>>,
        fields: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let how = How {
            options,
            workspace,
            fields,
        };
        let members: Vec<_> = members.iter().map(|member| &member.get().0).collect();
        let nodes = nodes.map(|nodes| &nodes.get().0);
        let gang = self.watched(py, &how, |begun, options, watch, room| {
            let labels = options.gang.labels();
            let options = options::gang(options, watch, &labels)?;
            let options = match nodes {
                Some(nodes) => options.node_list(nodes),
                None => options,
            };
            Ok(dralloc_forms::gang(&begun.gang(&members, &options, room)?)?)
        })?;
        document(py, &GANG, &gang)
    }
}

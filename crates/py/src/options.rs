//! [`Options`]: how questions are asked.

use std::time::Duration;

use dralloc::{AllocateOptions, Budget, Code, DomainScope, Error, GangOptions, PlaceOptions};
use dralloc_forms::CallOptions;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyString, PyType};

use crate::cancel::Cancel;
use crate::document::parsed;
use crate::failure::Failure;
use crate::package::Item;
use crate::text as input;
use crate::watch::Watch;

/// Says how questions are asked.
#[pyclass(frozen, module = "dralloc")]
pub(crate) struct Options {
    pub(crate) options: CallOptions,
    /// As they were given, for those that add to them and for people.
    given: Py<PyDict>,
}

static SECONDS: Item = Item::new("dralloc._plain", "seconds");

/// Fields that have another name in JSON, or another form.
const TIMEOUT: &str = "timeout";
const CANCEL: &str = "cancel";
const NOW: &str = "now";
const NANOSECONDS: &str = "timeoutNanoseconds";

impl Options {
    fn read(given: Bound<'_, PyDict>) -> Result<Self, Failure> {
        let py = given.py();
        let (fields, kept) = (PyDict::new(py), PyDict::new(py));
        let (mut timeout, mut cancel) = (None, None);
        for (name, value) in given.iter() {
            let name: String = name.extract()?;
            if value.is_none() {
                continue;
            }
            match name.as_str() {
                TIMEOUT => timeout = Some(duration(&value)?),
                CANCEL => cancel = Some(value.cast::<Cancel>().map_err(PyErr::from)?.get().flag()),
                NOW => fields.set_item("now", seconds(&value)?)?,
                NANOSECONDS => return Err(unknown(&name)),
                _ if name.contains(char::is_uppercase) => return Err(unknown(&name)),
                _ => {
                    let value = own(value).map_err(|failure| input::under(failure, &name))?;
                    fields.set_item(camel(&name), &value)?;
                    kept.set_item(name, value)?;
                    continue;
                }
            }
            kept.set_item(name, value)?;
        }
        let fields = input::value(&fields)?;
        let mut options = CallOptions::read(&fields).map_err(|error| {
            let path = snake(error.path());
            error.at(path)
        })?;
        options.timeout = timeout;
        options.cancel = cancel;
        let given = kept.unbind();
        Ok(Self { options, given })
    }
}

/// Returns a value that nobody can change: what its owner could is copied.
fn own(value: Bound<'_, PyAny>) -> Result<Bound<'_, PyAny>, Failure> {
    if value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyInt>()
        || value.is_instance_of::<PyFloat>()
        || value.is_instance_of::<PyBytes>()
    {
        return Ok(value);
    }
    Ok(parsed(value.py(), &input::value(&value)?)?)
}

fn budget<'a>(options: &'a CallOptions, watch: Option<&'a Watch>) -> Budget<'a> {
    let mut budget = Budget::new();
    if let Some(watch) = watch {
        budget = budget.deadline(watch);
    }
    if let Some(branches) = options.branches {
        budget = budget.branches(branches);
    }
    if let Some(cancel) = &options.cancel {
        budget = budget.cancel(cancel);
    }
    budget
}

/// Returns the options of a question to one node that is watched.
pub(crate) fn allocate<'a>(
    options: &'a CallOptions,
    watch: Option<&'a Watch>,
) -> AllocateOptions<'a> {
    options.allocate(None).budget(budget(options, watch))
}

/// Returns the options of a question to many nodes that is watched.
pub(crate) fn place<'a>(options: &'a CallOptions, watch: Option<&'a Watch>) -> PlaceOptions<'a> {
    options.place(None).budget(budget(options, watch))
}

/// Returns the options of a question about a gang that is watched; `labels` are those of
/// its rules.
pub(crate) fn gang<'a>(
    options: &'a CallOptions,
    watch: Option<&'a Watch>,
    labels: &'a [(DomainScope, &'a str)],
) -> Result<GangOptions<'a>, Error> {
    Ok(options.gang(None, labels)?.budget(budget(options, watch)))
}

/// Options that were not given.
static DEFAULTS: CallOptions = CallOptions::DEFAULT;

/// Is options of a call: those that it was given, with fields of its own.
pub(crate) enum Chosen<'a> {
    Given(&'a CallOptions),
    Own(Box<CallOptions>),
}

impl<'a> Chosen<'a> {
    pub(crate) fn of(
        options: Option<&'a Bound<'_, Options>>,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> Result<Self, Failure> {
        let options = options.map(Bound::get);
        let Some(fields) = fields.filter(|fields| !fields.is_empty()) else {
            return Ok(Self::Given(
                options.map_or(&DEFAULTS, |options| &options.options),
            ));
        };
        let own = match options {
            None => fields.clone(),
            Some(options) => {
                let own = options.given.bind(fields.py()).copy()?;
                own.update(fields.as_mapping())?;
                own
            }
        };
        Ok(Self::Own(Box::new(Options::read(own)?.options)))
    }

    pub(crate) fn get(&self) -> &CallOptions {
        match self {
            Self::Given(options) => options,
            Self::Own(options) => options,
        }
    }
}

/// Returns how long a `timedelta` is.
fn duration(value: &Bound<'_, PyAny>) -> Result<Duration, Failure> {
    value.extract::<Duration>().map_err(|_| {
        let message = "expected a `timedelta` that is not negative";
        Error::new(Code::Malformed, message).at(TIMEOUT).into()
    })
}

/// Returns the seconds since 1970 of a `datetime` or a number.
fn seconds(value: &Bound<'_, PyAny>) -> Result<i64, Failure> {
    let seconds = SECONDS.get(value.py())?.call1((value,))?;
    seconds.extract::<i64>().map_err(|_| {
        let message = "expected a `datetime` or seconds since 1970";
        Error::new(Code::Malformed, message).at(NOW).into()
    })
}

fn unknown(name: &str) -> Failure {
    let message = "unknown option, expected one of `Options`";
    Error::new(Code::UnknownField, message).at(name).into()
}

/// Returns the name in JSON of a field of Python.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        camel.push_str(letters.as_str());
    }
    camel
}

/// Returns the name in Python of a field of JSON.
fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_uppercase() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[pymethods]
impl Options {
    #[new]
    #[pyo3(signature = (**fields))]
    fn new(py: Python<'_>, fields: Option<Bound<'_, PyDict>>) -> PyResult<Self> {
        let fields = fields.unwrap_or_else(|| PyDict::new(py));
        Self::read(fields).map_err(|failure| failure.raise(py))
    }

    /// Makes options of JSON, in the form that all languages share.
    #[classmethod]
    fn load(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        options: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let json = input::value(options).map_err(|failure| failure.raise(py))?;
        let options = CallOptions::read(&json).map_err(Failure::from);
        let options = options.map_err(|failure| failure.raise(py))?;
        let given = PyDict::new(py);
        // No options are an empty text, or `null`.
        if !json.trim().is_empty()
            && let Ok(fields) = parsed(py, &json)?.cast::<PyDict>()
        {
            for (name, value) in fields.iter() {
                let name: String = name.extract()?;
                if name == NANOSECONDS {
                    let timeout = options.timeout.unwrap_or_default();
                    given.set_item(TIMEOUT, timeout)?;
                } else {
                    given.set_item(snake(&name), value)?;
                }
            }
        }
        let given = given.unbind();
        Ok(Self { options, given })
    }

    /// Returns these options with other values for some fields.
    #[pyo3(signature = (**fields))]
    fn replace(&self, py: Python<'_>, fields: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let given = self.given.bind(py).copy()?;
        if let Some(fields) = fields {
            given.update(fields.as_mapping())?;
        }
        Self::read(given).map_err(|failure| failure.raise(py))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut fields = Vec::new();
        for (name, value) in self.given.bind(py).iter() {
            if !value.is_none() {
                fields.push(format!("{name}={}", value.repr()?));
            }
        }
        Ok(format!("Options({})", fields.join(", ")))
    }
}

//! [`Features`]: which parts of the API count.

use dralloc_cel::{Dialect, Options};

/// Switches the parts of the API that Kubernetes puts behind feature gates.
///
/// All are on by default: what the API server let through is what counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "one per gate of Kubernetes")]
pub struct Features {
    /// `DRAAdminAccess`
    pub admin_access: bool,
    /// `DRADeviceCompatibilityGroups`
    pub compatibility_groups: bool,
    /// `DRAConsumableCapacity`
    pub consumable_capacity: bool,
    /// `DRADerivedAttributes`
    pub derived_attributes: bool,
    /// `DRADeviceBindingConditions`
    pub device_binding_and_status: bool,
    /// `DRADeviceTaints`
    pub device_taints: bool,
    /// `DRAExtendedResource`
    pub extended_resources: bool,
    /// `DRAFractionalCapacityRange`
    pub fractional_capacity_range: bool,
    /// `DRAListTypeAttributes`
    pub list_type_attributes: bool,
    /// `DRAOptionalNodeOperations`
    pub optional_node_operations: bool,
    /// `DRAPartitionableDevices`
    pub partitionable_devices: bool,
    /// `DRAPrioritizedList`
    pub prioritized_list: bool,
    /// Minor version of Kubernetes 1 whose CEL functions expressions may call;
    /// the newest that is known unless one was asked for. No gate of Kubernetes.
    pub kubernetes_minor: u32,
    /// Whether selectors may compare quantities and versions by `<`, `<=`, `>`
    /// and `>=`, which an API server rejects; never on by default. No gate of
    /// Kubernetes.
    pub relaxed_selectors: bool,
}

/// One feature gate: its name in Kubernetes, its field, and since which minor
/// version it is on by default.
struct Gate {
    name: &'static str,
    field: fn(&mut Features) -> &mut bool,
    on_since: Option<u32>,
}

/// Sources: `pkg/features/kube_features.go` of Kubernetes 1.34 to 1.37.
const GATES: [Gate; 12] = [
    Gate {
        name: "DRAAdminAccess",
        field: |f| &mut f.admin_access,
        on_since: Some(34),
    },
    Gate {
        name: "DRADeviceCompatibilityGroups",
        field: |f| &mut f.compatibility_groups,
        on_since: None,
    },
    Gate {
        name: "DRAConsumableCapacity",
        field: |f| &mut f.consumable_capacity,
        on_since: Some(36),
    },
    Gate {
        name: "DRADerivedAttributes",
        field: |f| &mut f.derived_attributes,
        on_since: None,
    },
    Gate {
        name: "DRADeviceBindingConditions",
        field: |f| &mut f.device_binding_and_status,
        on_since: Some(36),
    },
    Gate {
        name: "DRADeviceTaints",
        field: |f| &mut f.device_taints,
        on_since: Some(36),
    },
    Gate {
        name: "DRAExtendedResource",
        field: |f| &mut f.extended_resources,
        on_since: Some(36),
    },
    Gate {
        name: "DRAFractionalCapacityRange",
        field: |f| &mut f.fractional_capacity_range,
        on_since: Some(37),
    },
    Gate {
        name: "DRAListTypeAttributes",
        field: |f| &mut f.list_type_attributes,
        on_since: None,
    },
    Gate {
        name: "DRAOptionalNodeOperations",
        field: |f| &mut f.optional_node_operations,
        on_since: None,
    },
    Gate {
        name: "DRAPartitionableDevices",
        field: |f| &mut f.partitionable_devices,
        on_since: Some(36),
    },
    Gate {
        name: "DRAPrioritizedList",
        field: |f| &mut f.prioritized_list,
        on_since: Some(34),
    },
];

impl Features {
    /// Returns all features on.
    pub const fn all() -> Self {
        Self {
            admin_access: true,
            compatibility_groups: true,
            consumable_capacity: true,
            derived_attributes: true,
            device_binding_and_status: true,
            device_taints: true,
            extended_resources: true,
            fractional_capacity_range: true,
            list_type_attributes: true,
            optional_node_operations: true,
            partitionable_devices: true,
            prioritized_list: true,
            kubernetes_minor: Options::NEWEST_MINOR,
            relaxed_selectors: false,
        }
    }

    /// Returns all features off.
    pub const fn none() -> Self {
        Self {
            admin_access: false,
            compatibility_groups: false,
            consumable_capacity: false,
            derived_attributes: false,
            device_binding_and_status: false,
            device_taints: false,
            extended_resources: false,
            fractional_capacity_range: false,
            list_type_attributes: false,
            optional_node_operations: false,
            partitionable_devices: false,
            prioritized_list: false,
            kubernetes_minor: Options::NEWEST_MINOR,
            relaxed_selectors: false,
        }
    }

    /// Returns what Kubernetes 1.`minor` has on by default.
    ///
    /// # Examples
    ///
    /// ```
    /// let features = dralloc::Features::of_kubernetes(35);
    /// assert!(features.prioritized_list && !features.consumable_capacity);
    /// ```
    pub fn of_kubernetes(minor: u32) -> Self {
        let mut features = Self {
            kubernetes_minor: minor.min(Options::NEWEST_MINOR),
            ..Self::none()
        };
        for gate in &GATES {
            *(gate.field)(&mut features) = gate.on_since.is_some_and(|since| minor >= since);
        }
        features
    }

    /// Sets the feature behind a gate; returns `false` if there is no such gate.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut features = dralloc::Features::all();
    /// assert!(features.set("DRADeviceTaints", false) && !features.device_taints);
    /// assert!(!features.set("DRANonsense", true));
    /// ```
    pub fn set(&mut self, gate: &str, on: bool) -> bool {
        match GATES.iter().find(|known| known.name == gate) {
            Some(known) => {
                *(known.field)(self) = on;
                true
            }
            None => false,
        }
    }

    /// Returns whether the feature behind a gate is on; none if there is no such gate.
    ///
    /// # Examples
    ///
    /// ```
    /// let features = dralloc::Features::of_kubernetes(35);
    /// assert_eq!(features.get("DRADeviceTaints"), Some(false));
    /// assert_eq!(features.get("DRANonsense"), None);
    /// ```
    pub fn get(&self, gate: &str) -> Option<bool> {
        let known = GATES.iter().find(|known| known.name == gate)?;
        let mut features = *self;
        Some(*(known.field)(&mut features))
    }

    /// Returns how the selectors of stored classes and requests are compiled.
    pub fn selector_options(&self) -> Options {
        self.options(Options::selector())
    }

    /// Returns how derived attributes of stored requests are compiled.
    pub(crate) fn derived_attribute_options(&self) -> Options {
        self.options(Options::derived_attribute())
    }

    fn options(&self, options: Options) -> Options {
        options
            .kubernetes_minor(self.kubernetes_minor)
            .consumable_capacity(self.consumable_capacity)
            .list_attributes(self.list_type_attributes)
            .dialect(self.dialect())
    }

    fn dialect(&self) -> Dialect {
        if self.relaxed_selectors {
            Dialect::Relaxed
        } else {
            Dialect::Kubernetes
        }
    }

    /// Returns the names of all gates, in order.
    pub fn gates() -> impl Iterator<Item = &'static str> {
        GATES.iter().map(|gate| gate.name)
    }
}

impl Default for Features {
    fn default() -> Self {
        Self::all()
    }
}

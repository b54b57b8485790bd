package dralloc

// Together is what the devices of one placement policy have in common.
type Together struct {
	// Claim is the place of the claim in the question.
	Claim int `json:"claim"`
	// Requests are those that the policy is for; empty for all of the claim.
	Requests []string `json:"requests,omitempty"`
	// Levels are, for each level of the policy, the first scope that all devices have in
	// common; nil where they have nothing in common of it.
	Levels []*string `json:"levels,omitempty"`
	// Units are the units, those at the best level first.
	Units []UnitTogether `json:"units,omitempty"`
}

// UnitTogether is one unit of a placement policy.
type UnitTogether struct {
	// Level is the first scope that its devices have in common; nil where they have
	// nothing in common.
	Level *string `json:"level"`
	// Devices are those of the unit.
	Devices []DeviceID `json:"devices"`
}

package dralloc

// Device is one device that a claim got, in numbers.
type Device struct {
	// Claim is the place of the claim in the question.
	Claim uint32
	// Request is the place of the request in the claim; the number of requests for a
	// device that the claim had already by a request that it does not have.
	Request uint32
	// Alternative is the place of the alternative in the request, 0 for one without a
	// choice.
	Alternative uint32
	// Device is the number of the device: see [Snapshot.Device].
	Device uint32
}

// DeviceID names a device in the cluster.
type DeviceID struct {
	// Driver publishes it.
	Driver string `json:"driver"`
	// Pool is where it is.
	Pool string `json:"pool"`
	// Device is its name in the pool.
	Device string `json:"device"`
}

// String returns `driver/pool/device`.
func (d DeviceID) String() string { return d.Driver + "/" + d.Pool + "/" + d.Device }

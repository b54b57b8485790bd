package dralloc

import (
	"encoding/json"
	"strconv"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// Snapshot shows what an engine knew when it was made. It never changes, so that any
// number of goroutines may use it at once.
type Snapshot struct {
	shared
	workspaces *workspaces
}

// Close frees the snapshot; again is nothing. What was made of it can be used further.
func (s *Snapshot) Close() {
	if s != nil {
		s.shared.close()
	}
}

func (s *Snapshot) begin(function abi.Function) (*call, error) {
	if s == nil {
		return nil, missing("snapshot")
	}
	raw, err := s.keep()
	if err != nil {
		return nil, err
	}
	return begin(function).number(raw), nil
}

func (s *Snapshot) end(c *call) {
	c.end()
	s.letGo()
}

// Revision returns the revision of the engine; larger is later.
func (s *Snapshot) Revision() (uint64, error) {
	c, err := s.begin(abi.SnapshotRevision)
	if err != nil {
		return 0, err
	}
	defer s.end(c)
	err = c.newCount(0).do()
	return uint64(c.counts[0]), err
}

// Prepare compiles claims, which are asked about together, in their order. They are
// objects as for [Engine.Apply], or an array of them.
//
// Claims with a spec that is known are not compiled again.
func (s *Snapshot) Prepare(claims ...any) (*Claims, error) {
	text, err := objectsText(claims)
	if err != nil {
		return nil, err
	}
	c, err := s.begin(abi.SnapshotPrepare)
	if err != nil {
		return nil, err
	}
	defer s.end(c)
	if err := c.bytes(text).newHandle().do(); err != nil {
		return nil, err
	}
	return newClaims(c.handle), nil
}

// Transaction begins a private what-if that starts from the snapshot.
func (s *Snapshot) Transaction() (*Transaction, error) {
	c, err := s.begin(abi.SnapshotTransaction)
	if err != nil {
		return nil, err
	}
	defer s.end(c)
	if err := c.newHandle().do(); err != nil {
		return nil, err
	}
	return newTransaction(c.handle, s.handle, s.workspaces), nil
}

// NodeList looks nodes up by name, for calls that name them by place; no names are all
// nodes by name.
func (s *Snapshot) NodeList(names ...string) (*NodeList, error) {
	var text []byte
	if len(names) > 0 {
		// Texts alone always have a form.
		text, _ = json.Marshal(names)
	}
	c, err := s.begin(abi.SnapshotNodeList)
	if err != nil {
		return nil, err
	}
	defer s.end(c)
	if err := c.bytes(text).newHandle().do(); err != nil {
		return nil, err
	}
	return newNodeList(c.handle), nil
}

// Nodes returns the names of all nodes, in order.
func (s *Snapshot) Nodes() ([]string, error) {
	c, err := s.begin(abi.SnapshotNodes)
	if err != nil {
		return nil, err
	}
	defer s.end(c)
	return decoded[[]string](c.takeBytes())
}

// Device returns the name of the device with a number.
//
// A number is that of one device for as long as the engine lives, in all its snapshots:
// keep what you were told.
func (s *Snapshot) Device(number uint32) (DeviceID, error) {
	c, err := s.begin(abi.SnapshotDevice)
	if err != nil {
		return DeviceID{}, err
	}
	defer s.end(c)
	return decoded[DeviceID](c.number(uintptr(number)).takeBytes())
}

// Dump writes the snapshot as JSON, of which [LoadEngine] makes an engine.
func (s *Snapshot) Dump() ([]byte, error) {
	c, err := s.begin(abi.SnapshotDump)
	if err != nil {
		return nil, err
	}
	defer s.end(c)
	return c.takeBytes()
}

// decoded reads what a call returned.
func decoded[T any](text []byte, err error) (T, error) {
	var value T
	if err != nil {
		return value, err
	}
	if err := json.Unmarshal(text, &value); err != nil {
		return value, newError(ErrInternal, "the library wrote "+strconv.Quote(string(text))+": "+err.Error())
	}
	return value, nil
}

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
// Claims keep the classes and features of the snapshot: prepare them anew when a class has
// changed. Those with a spec that is known are not compiled again.
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

// NodeList looks nodes up by name, for calls that name them by place.
func (s *Snapshot) NodeList(names ...string) (*NodeList, error) {
	// Texts alone always have a form; no names are an empty list.
	text, _ := json.Marshal(append([]string{}, names...))
	return s.nodeList(text)
}

// AllNodes lists all nodes by name.
func (s *Snapshot) AllNodes() (*NodeList, error) { return s.nodeList(nil) }

func (s *Snapshot) nodeList(text []byte) (*NodeList, error) {
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

// Objects returns the objects of a kind that the snapshot knows, by name, as one list that
// [Engine.Apply] takes: all of them, or the one with a name; an empty name is all.
//
// Kinds are `Node`, `DeviceClass`, `Topology`, `AttributeOverlay`, `DeviceHealth` and
// `DeviceHold` ([ErrUnsupported] for others). Only fields that dralloc reads are there.
func (s *Snapshot) Objects(kind, name string) (json.RawMessage, error) {
	c, err := s.begin(abi.SnapshotObjects)
	if err != nil {
		return nil, err
	}
	defer s.end(c)
	return c.string(kind).string(name).takeBytes()
}

// Features returns which features are on, as JSON that [WithFeatures] takes.
func (s *Snapshot) Features() (json.RawMessage, error) {
	c, err := s.begin(abi.SnapshotFeatures)
	if err != nil {
		return nil, err
	}
	defer s.end(c)
	return c.takeBytes()
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

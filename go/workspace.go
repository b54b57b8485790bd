package dralloc

import (
	"runtime"
	"sync"

	"github.com/dralloc/dralloc/go/internal/abi"
)

// Workspace keeps what calls found out that makes later ones faster; it never changes an
// answer.
//
// A transaction takes one from its engine when it is first asked something, and gives it
// back when it is closed, so that most programs need not care. Passed as an [Option], a
// workspace serves one call; others with it wait.
type Workspace struct{ exclusive }

// NewWorkspace makes an empty workspace.
func NewWorkspace() (*Workspace, error) {
	if err := abi.Need(); err != nil {
		return nil, err
	}
	w := &Workspace{}
	h, err := newWorkspace()
	if err != nil {
		return nil, err
	}
	w.handle = h
	w.cleanup = closeWith(w, h)
	return w, nil
}

func newWorkspace() (*handle, error) {
	c := begin(abi.WorkspaceNew)
	defer c.end()
	if err := c.newHandle().do(); err != nil {
		return nil, err
	}
	return newHandle(c.handle, abi.WorkspaceFree, "workspace"), nil
}

// Close frees the workspace; again is nothing.
func (w *Workspace) Close() {
	if w != nil {
		w.exclusive.close()
	}
}

// Statistics returns what the search for the last answer took.
func (w *Workspace) Statistics() (Statistics, error) {
	if w == nil {
		return Statistics{}, missing("workspace")
	}
	raw, err := w.lock()
	if err != nil {
		return Statistics{}, err
	}
	defer w.unlock()
	return statistics(raw)
}

func statistics(raw uintptr) (Statistics, error) {
	c := begin(abi.WorkspaceStatistics)
	defer c.end()
	return decoded[Statistics](c.number(raw).takeBytes())
}

// Statistics says what a search took.
type Statistics struct {
	// Branches are devices that were tried, as [WithBranches] counts them.
	Branches uint64 `json:"branches"`
	// Tries are searches that were begun: for the answer, and for an error before it.
	Tries uint64 `json:"tries"`
	// DeadEnds are choices that had nothing left to choose.
	DeadEnds uint64 `json:"deadEnds"`
	// Refused are picks that others, or a rule, did not allow.
	Refused uint64 `json:"refused"`
	// ShortOfRequest are picks after which one request could not be satisfied any more.
	ShortOfRequest uint64 `json:"shortOfRequest"`
	// ShortOfCount are picks after which requests wanted more devices than there were.
	ShortOfCount uint64 `json:"shortOfCount"`
	// ShortOfValues are picks after which a constraint had no value of its attribute left.
	ShortOfValues uint64 `json:"shortOfValues"`
	// ShortOfBundles are picks after which constraints that are alike had too few values.
	ShortOfBundles uint64 `json:"shortOfBundles"`
	// ShortOfShares are picks after which shared devices had too few shares left.
	ShortOfShares uint64 `json:"shortOfShares"`
	// ShortOfParts are picks after which devices that share counters had too little left.
	ShortOfParts uint64 `json:"shortOfParts"`
	// Jumps are choices of unrelated requests that a dead end left as they were.
	Jumps uint64 `json:"jumps"`
	// Improvements are better answers that followed a first one.
	Improvements uint64 `json:"improvements"`
}

// workspaces are those of an engine that nobody uses.
type workspaces struct{ *idle }

type idle struct {
	mutex    sync.Mutex
	handles  []*handle
	isClosed bool
}

func newWorkspaces() *workspaces {
	w := &workspaces{&idle{}}
	runtime.AddCleanup(w, (*idle).close, w.idle)
	return w
}

// take returns a workspace that nobody else uses.
func (i *idle) take() (*handle, error) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	last := len(i.handles) - 1
	if last < 0 {
		return newWorkspace()
	}
	h := i.handles[last]
	i.handles[last] = nil
	i.handles = i.handles[:last]
	return h, nil
}

// give gives a workspace back. As many are kept as can work at once and wait: what a
// crowd of transactions had is no use to anybody afterwards.
func (i *idle) give(h *handle) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if i.isClosed || len(i.handles) >= max(32, 2*runtime.GOMAXPROCS(0)) {
		h.close()
		return
	}
	i.handles = append(i.handles, h)
}

func (i *idle) close() {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.isClosed = true
	for _, h := range i.handles {
		h.close()
	}
	i.handles = nil
}

func (w *Workspace) applyTo(*optionsForm) error {
	return w.open()
}

func (w *Workspace) open() error {
	if w == nil {
		return missing("workspace")
	}
	return w.handle.open()
}

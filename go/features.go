package dralloc

import "encoding/json"

// EngineOption says which features an engine has.
type EngineOption func(*featuresForm)

type featuresForm struct {
	KubernetesMinor  *int            `json:"kubernetesMinor,omitempty"`
	RelaxedSelectors bool            `json:"relaxedSelectors,omitempty"`
	Gates            map[string]bool `json:"gates,omitempty"`

	text []byte
}

// WithKubernetesMinor has on what a version of Kubernetes has on by default, such as 36.
func WithKubernetesMinor(minor int) EngineOption {
	return func(form *featuresForm) { form.KubernetesMinor = &minor }
}

// WithGate switches a feature gate of Kubernetes, such as `DRAAdminAccess`.
func WithGate(name string, isOn bool) EngineOption {
	return func(form *featuresForm) {
		if form.Gates == nil {
			form.Gates = map[string]bool{}
		}
		form.Gates[name] = isOn
	}
}

// WithRelaxedSelectors lets selectors compare quantities and versions by `<`, `<=`, `>`
// and `>=`, which an API server rejects.
func WithRelaxedSelectors() EngineOption {
	return func(form *featuresForm) { form.RelaxedSelectors = true }
}

// WithFeatures has on what JSON says, with the fields `kubernetesMinor`, `gates` and
// `relaxedSelectors`, in the place of all other options.
func WithFeatures(text []byte) EngineOption {
	return func(form *featuresForm) { form.text = text }
}

func featuresText(options []EngineOption) ([]byte, error) {
	if len(options) == 0 {
		return nil, nil
	}
	var form featuresForm
	for _, option := range options {
		if option == nil {
			return nil, missing("option")
		}
		option(&form)
	}
	if form.text != nil {
		return form.text, nil
	}
	text, err := json.Marshal(form)
	if err != nil {
		return nil, newError(ErrMalformed, err.Error())
	}
	return text, nil
}

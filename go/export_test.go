package dralloc

// Text is what the library was told.
func (o *Options) Text() []byte { return o.text }

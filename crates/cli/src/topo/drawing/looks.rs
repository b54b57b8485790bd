//! Colours, for light pages and dark ones.

/// Styles and the hatching of what is taken, as SVG.
///
/// The drawing has a ground of its own, so that it is legible on any page; where people
/// prefer dark pages the ground is dark.
pub(super) const DEFINITIONS: &str = r#"<style>
text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2933 }
.page { fill: #ffffff; stroke: #d7dde4 }
.outer { fill: #f4f6f9; stroke: #c3ccd6 }
.frame { fill: #e9eef4; stroke: #c3ccd6 }
.free { fill: #ffffff; stroke: #5b6b7c; stroke-width: 1.2 }
.chosen { fill: #1d5fd1; stroke: #123f8f; stroke-width: 1.2 }
.taken { fill: url(#hatch); stroke: #98a4b1; stroke-width: 1.2 }
.switch { fill: #3d4956; stroke: none }
.chip { fill: #5b6a7a; stroke: none }
line { stroke-linecap: round }
.nvlink { stroke: #3f9142 }
.xgmi { stroke: #d9642b }
.faint { stroke: #c5ced8 }
.hatch-ground { fill: #eef1f5 }
.hatch-line { stroke: #aab5c1; stroke-width: 2 }
.title { font-weight: 600 }
.headline { font-weight: 600; fill: #1d5fd1 }
.quiet { fill: #5b6b7c }
.on-chosen, .on-switch { fill: #ffffff }
.link { font-weight: 600; fill: #5b6b7c }
@media (prefers-color-scheme: dark) {
text { fill: #e4e9ef }
.page { fill: #12171d; stroke: #2d3742 }
.outer { fill: #1a212a; stroke: #3b4754 }
.frame { fill: #232c37; stroke: #3b4754 }
.free { fill: #12171d; stroke: #93a1b0 }
.chosen { fill: #4d8dff; stroke: #a6c6ff }
.taken { stroke: #5f6c7a }
.switch { fill: #8896a5 }
.chip { fill: #b3bfcb }
.nvlink { stroke: #63b967 }
.xgmi { stroke: #ef8a57 }
.faint { stroke: #37424e }
.hatch-ground { fill: #1f2731 }
.hatch-line { stroke: #46525f }
.headline { fill: #7fb0ff }
.quiet { fill: #98a6b5 }
.on-chosen, .on-switch { fill: #0c1117 }
.link { fill: #98a6b5 }
}
</style>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/><line class="hatch-line" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>
"#;

/** The colours of the page are readable on light and on dark paper; a test measures them. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14171a);
  --ink: light-dark(#1b1f24, #e8eaed);
  --quiet: light-dark(#57606a, #a3abb5);
  --faint: light-dark(#e3e6ea, #2b3036);
  --story: light-dark(#0b6e8f, #4cc3e8);
  --without: light-dark(#b3261e, #ff8a80);
  --plain: light-dark(#6b7280, #9aa3ad);
  --cheapest: light-dark(#1a7f37, #56d364);
  --limit: light-dark(#9a4d00, #e0a15a);
  --layer-stored: light-dark(#a40e26, #ffa198);
  --layer-cleared: light-dark(#8250df, #c297ff);
  --layer-noted: light-dark(#6b7280, #9aa3ad);
  --layer-free: light-dark(#bf3989, #ff9bce);
  --layer-full: light-dark(#9a6700, #e3b341);
  --layer-digest: light-dark(#0550ae, #79c0ff);
  --layer-recalled: light-dark(#0550ae, #79c0ff);
  --layer-resumed: light-dark(#0550ae, #79c0ff);
  --plot-background: var(--paper);
}
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.8rem; margin: 0 0 .5rem; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
p, figcaption, td.quiet { color: var(--quiet); } p strong { color: var(--ink); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 1rem; margin: 1.5rem 0; padding: 0; }
.figures li { list-style: none; border: 1px solid var(--faint); border-radius: .5rem; padding: .75rem 1rem; color: var(--quiet); }
.figures strong { display: block; font-size: 1.5rem; color: var(--ink); }
figure { margin: 1rem 0; } .key { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0; padding: 0; }
.key li { list-style: none; } .key i { display: inline-block; margin-right: .4rem; }
.key .dot { width: .8rem; height: .8rem; border-radius: 50%; } .key .line { width: 1.4rem; height: .2rem; vertical-align: .3rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .35rem .6rem; border-bottom: 1px solid var(--faint); vertical-align: top; }
th:first-child, td:first-child, td.words, th.words { text-align: left; }
td:first-child { white-space: nowrap; } td.words { min-width: 14rem; }
@media (max-width: 40rem) {
  th, td { padding: .3rem .35rem; font-size: .85rem; } .long td:first-child { white-space: normal; }
  .long tr { display: grid; grid-template-columns: 6.5rem repeat(var(--figures), minmax(0, 1fr)); border-bottom: 1px solid var(--faint); }
  .long th { padding-inline: .2rem; font-size: .78rem; } .long th, .long td { border: 0; } .long .words { grid-column: 1 / -1; min-width: 0; overflow-wrap: anywhere; }
}
pre { overflow-x: auto; border: 1px solid var(--faint); border-radius: .5rem; padding: 1rem; font-size: .85rem; }
svg { display: block; max-width: 100%; height: auto; overflow: visible; }
`

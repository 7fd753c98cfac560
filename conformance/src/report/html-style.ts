/** The looks of the page, in light and in dark, from a phone's width up. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f4f6f8; --line: #d3d9df; --text: #1b2229; --soft: #55606b;
  --good: #14713a; --bad: #b3261e; --odd: #8a4b00; --link: #0b57d0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161b; --panel: #1b2128; --line: #36404b; --text: #e6eaee; --soft: #a3adb8;
    --good: #6cd391; --bad: #ff8f85; --odd: #f0b35a; --link: #8ab4ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.25rem 1rem 3rem; max-width: 76rem;
  background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { margin: 0 0 .25rem; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 0; font-size: 1.15rem; }
h3 { margin: 2rem 0 .5rem; font-size: 1.15rem; }
h4 { margin: .5rem 0 .15rem; font-size: .8rem; color: var(--soft); }
p { margin: .25rem 0; }
small, .soft { color: var(--soft); }
small { font-size: .8rem; white-space: nowrap; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.good { color: var(--good); } .bad { color: var(--bad); } .odd { color: var(--odd); } .none { color: var(--soft); }
.good, .bad, .odd, .none { font-weight: 600; white-space: nowrap; }

.adapters { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 1rem; margin: 1.25rem 0; align-items: start; }
.adapters article { border: 1px solid var(--line); border-radius: .5rem; padding: .9rem 1rem; min-width: 0; }
.adapters ul { margin: .6rem 0; padding: 0; list-style: none; }
.adapters li { padding: .3rem 0; border-top: 1px solid var(--line); }
.adapters .level { display: flex; justify-content: space-between; gap: 1rem; }
.adapters small { white-space: normal; display: block; }
.about { margin-top: .6rem; }
summary { cursor: pointer; }

table, thead, tbody { display: block; }
table { border: 1px solid var(--line); border-radius: .5rem; overflow-x: auto; }
tr {
  display: grid; grid-template-columns: 5rem repeat(var(--adapters), minmax(7rem, 1fr));
  min-width: min-content; border-top: 1px solid var(--line); align-items: start;
}
thead tr { border-top: 0; }
thead th { font-size: .9rem; overflow-wrap: break-word; }
th, td { padding: .35rem .5rem; text-align: left; min-width: 0; }
th { font-weight: 600; }
tr.group { background: var(--panel); }
tr.group th { grid-column: 1 / -1; font-size: .9rem; }
td { grid-column: var(--column); grid-row: 1; }
td > details:not([open]) > summary { white-space: nowrap; }
td > details > summary { list-style: none; padding: .05rem .15rem; }
td > details > summary::-webkit-details-marker { display: none; }
td > details > summary::before { content: "▸"; display: inline-block; width: 1.1em; color: var(--soft); }
td > details[open] > summary::before { content: "▾"; }
td > details > summary:hover { text-decoration: underline; }
/* What is open has the row to itself, under those that are not. */
td:has(> details[open]) { grid-column: 1 / -1; grid-row: auto; background: var(--panel); }
td > details[open] { position: sticky; left: .6rem; max-width: min(74rem, calc(100vw - 3.5rem)); }
td .who { display: none; }
td > details[open] .who { display: inline; }
.cases { margin: .25rem 0 .5rem; padding: 0; list-style: none; }
.cases > li { padding: .5rem .15rem; border-top: 1px solid var(--line); scroll-margin-top: 3rem; }
.cases b { font-weight: 500; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 1rem; }
.sides > div { min-width: 0; }
.why { white-space: pre-wrap; }
pre {
  margin: 0; padding: .5rem .65rem; max-height: 24rem; overflow: auto; overflow-wrap: normal;
  background: var(--ground); border: 1px solid var(--line); border-radius: .35rem; font: .82rem/1.45 ui-monospace, monospace;
}
pre.wraps { white-space: pre-wrap; overflow-wrap: anywhere; }
.steps { margin: .5rem 0; } .steps summary { font-size: .9rem; }

@media (min-width: 48rem) {
  /* Where columns fit, their heads stay in sight. */
  table { overflow: visible; }
  thead { position: sticky; top: 0; z-index: 1; background: var(--ground); border-radius: .5rem .5rem 0 0; }
}
`;

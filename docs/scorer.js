// Search results: pages that show how to do something come before the reference, and both before what changed when.
var Scorer = {
  score: ([page, , , , score]) => score + (/^(howto|start|choosing|confidence)/.test(page) ? 12 : /^(changelog|house|sources)/.test(page) ? -12 : 0),
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};

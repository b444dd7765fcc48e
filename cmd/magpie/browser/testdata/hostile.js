// What must not be there, wherever texts of crawled pages are shown.
(() => {
  const faults = [];
  if (window.__hit !== undefined) faults.push(`a script of a crawled page has run: ${window.__hit}`);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const said = new Set();
  const fault = (what, node) => { if (!said.has(what)) { said.add(what); faults.push(`${what}: ${JSON.stringify(node.data.slice(0, 80))} in ${node.parentElement.outerHTML.slice(0, 120)}`); } };
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest('textarea, script')) continue;
    if (/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/.test(node.data)) fault('bidirectional control', node);
    if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/.test(node.data)) fault('control character', node);
    if (/[\u0590-\u08ff]/.test(node.data) && !node.parentElement.closest('bdi, pre, option, [dir=auto], code, td, label')) fault('text of the other direction that is not set apart', node);
  }
  return faults;
})()

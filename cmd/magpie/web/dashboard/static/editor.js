// What a script adds to the editor of job files: line numbers, validation while
// one types, and trying a page without leaving. All of it works without.
'use strict';
(() => {
  const form = document.querySelector('form[data-editor]');
  if (!form) return;
  const source = form.querySelector('textarea[name="source"]');
  const rows = form.querySelector('.editor-rows');
  const place = (part) => form.querySelector(`[data-part="${part}"]`);
  form.classList.add('has-script');
  let wrong = new Set();

  // One row for each line: its number, and whether there is a mistake in it.
  function number() {
    const n = source.value.split('\n').length;
    while (rows.children.length > n) rows.lastElementChild.remove();
    while (rows.children.length < n) {
      const row = document.createElement('span');
      row.textContent = String(rows.children.length + 1);
      rows.append(row);
    }
    [...rows.children].forEach((row, i) => row.classList.toggle('wrong', wrong.has(i + 1)));
    rows.scrollTop = source.scrollTop;
  }

  function mistakes() {
    const told = place('checked').querySelector('[data-wrong]');
    const lines = told ? told.dataset.wrong.split(' ').filter(Boolean).map(Number) : [];
    wrong = new Set(lines);
    number();
  }

  // Ask the server for a part of the page. Of several questions the last counts.
  const asked = { checked: null, tried: null };
  async function ask(doing, part) {
    asked[part]?.abort();
    const mine = asked[part] = new AbortController();
    const data = new URLSearchParams(new FormData(form));
    data.set('do', doing);
    try {
      const answer = await fetch(form.action, {
        method: 'POST', body: data, signal: mine.signal,
        headers: { 'X-Magpie-Fragment': part, 'X-Magpie-Token': data.get('token') },
      });
      const text = await answer.text();
      if (asked[part] !== mine) return;
      if (!answer.ok) {
        note(part, 'The server did not answer as it should. Load the page anew; copy your text first.');
        return;
      }
      place(part).innerHTML = text;
      times(place(part));
    } catch (e) {
      if (e.name !== 'AbortError') note(part, 'The server can’t be reached. Your text is still here.');
    }
    if (part === 'checked') mistakes();
  }

  function note(part, text) {
    const p = document.createElement('p');
    p.className = 'notice is-warn';
    p.textContent = text;
    place(part).replaceChildren(p);
  }

  function times(root) {
    for (const t of root.querySelectorAll('time[data-absolute]')) {
      const then = Date.parse(t.dateTime);
      if (!Number.isNaN(then)) t.textContent = new Date(then).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
    }
  }

  let timer = 0;
  source.addEventListener('input', () => {
    number();
    clearTimeout(timer);
    timer = setTimeout(() => ask('check', 'checked'), 400);
  });
  source.addEventListener('scroll', () => { rows.scrollTop = source.scrollTop; });

  form.addEventListener('submit', (e) => {
    // Enter in a field presses the form's first button, which is out of sight
    // and checks: in the address it is meant to try it.
    const byEnter = e.submitter?.hasAttribute('data-default');
    const doing = byEnter && document.activeElement?.name === 'page' ? 'try' : e.submitter?.value;
    if (doing !== 'check' && doing !== 'try') { saving = true; return; }
    e.preventDefault();
    if (doing === 'check') { ask('check', 'checked'); return; }
    note('tried', 'Fetching the page …');
    ask('check', 'checked');
    ask('try', 'tried');
  });

  // A mistake leads to its place in the text.
  form.addEventListener('click', (e) => {
    const link = e.target.closest('a[data-line]');
    if (!link) return;
    e.preventDefault();
    const lines = source.value.split('\n');
    const line = Math.min(Number(link.dataset.line), lines.length);
    let at = 0;
    for (let i = 0; i < line - 1; i++) at += lines[i].length + 1;
    at += [...lines[line - 1]].slice(0, Number(link.dataset.column) - 1).join('').length;
    source.focus();
    source.setSelectionRange(at, at);
    const height = parseFloat(getComputedStyle(source).lineHeight) || 20;
    source.scrollTop = Math.max(0, (line - 5) * height);
  });

  // What was typed is not lost by leaving without a word.
  let saving = false;
  const began = source.value;
  window.addEventListener('beforeunload', (e) => {
    if (!saving && source.value !== began) e.preventDefault();
  });
  mistakes();
})();

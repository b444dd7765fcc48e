// What a script adds to the pages, all of which work without: times in the
// browser's zone, the theme without a round trip, copying, live figures.
'use strict';
(() => {
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'long' });
  const units = [['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]];

  // Of a time that is at hand, say how far away it is, as the server does.
  function ago(then, now) {
    const seconds = Math.round((then - now) / 1000);
    const size = Math.abs(seconds);
    if (size < 5) return seconds > 0 ? 'in a moment' : 'just now';
    for (const [unit, span] of units) {
      if (size >= span) return relative.format(Math.trunc(seconds / span), unit);
    }
    return 'just now';
  }

  function times(root) {
    const now = Date.now();
    for (const t of root.querySelectorAll('time[datetime]')) {
      const then = Date.parse(t.dateTime);
      if (Number.isNaN(then)) continue;
      t.title = new Date(then).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' });
      const text = t.hasAttribute('data-absolute')
        ? new Date(then).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }) : ago(then, now);
      if (t.textContent !== text) t.textContent = text;
    }
  }

  function theme() {
    const form = document.querySelector('form.theme');
    if (!form) return;
    form.addEventListener('submit', (e) => {
      e.preventDefault();
      const button = e.submitter || form.querySelector('button');
      const root = document.documentElement;
      const next = button.value;
      root.dataset.theme = next;
      document.cookie = `magpie_theme=${next}; Path=/; Max-Age=31536000; SameSite=Strict`;
      const names = { auto: 'as the system', light: 'light', dark: 'dark' };
      const after = { auto: 'light', light: 'dark', dark: 'auto' }[next];
      button.value = after;
      button.querySelector('[data-name]').textContent = names[next];
    });
  }

  function copying(root) {
    for (const box of root.querySelectorAll('.copy')) {
      const button = box.querySelector('button');
      const source = box.querySelector('pre');
      if (!button || !source || !navigator.clipboard) continue;
      button.hidden = false;
      button.addEventListener('click', async () => {
        try {
          await navigator.clipboard.writeText(source.textContent);
          button.textContent = 'Copied';
        } catch {
          button.textContent = 'Select and copy by hand';
        }
      });
    }
  }

  // Replace the content of [data-fragment=NAME] with what the server drew,
  // and leave the keyboard where it was.
  function put(name, html) {
    const place = document.querySelector(`[data-fragment="${CSS.escape(name)}"]`);
    if (!place) return;
    const active = document.activeElement;
    const inside = place.contains(active) && active !== place;
    const mark = inside && (active.id || active.getAttribute('href') || active.value);
    const open = new Set([...place.querySelectorAll('details[open][id]')].map((d) => d.id));
    place.innerHTML = html;
    for (const id of open) document.getElementById(id)?.setAttribute('open', '');
    if (mark) {
      [...place.querySelectorAll('a, button, input, select, summary')]
        .find((e) => e.id === mark || e.getAttribute('href') === mark || e.value === mark)?.focus({ preventScroll: true });
    }
    times(place);
    scrollers(place);
  }

  // A stream of fragments, open only while the page can be seen. The first
  // line of an event "fragment" is the name of its place, the rest what is put
  // there; "end" closes the stream, "reload" asks for the page anew.
  function live() {
    const place = document.querySelector('[data-live]');
    if (!place || !window.EventSource) return;
    const status = document.querySelector('[data-live-status]');
    const say = (text) => { if (status && status.textContent !== text) status.textContent = text; };
    let source = null;
    let ended = false;
    const close = () => { source?.close(); source = null; };
    const open = () => {
      if (source || ended || document.hidden) return;
      source = new EventSource(place.dataset.live);
      source.onopen = () => say('Live: figures are renewed every second.');
      source.onerror = () => say(source && source.readyState === EventSource.CLOSED
        ? 'Not live: the server closed the connection. Reload the page to try again.'
        : 'Not live: the connection is lost. Trying again.');
      source.addEventListener('fragment', (e) => {
        const end = e.data.indexOf('\n');
        put(e.data.slice(0, end), e.data.slice(end + 1));
      });
      source.addEventListener('end', (e) => { ended = true; close(); say(e.data || 'Not live any more.'); });
      source.addEventListener('reload', () => { ended = true; close(); location.reload(); });
    };
    document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
    window.addEventListener('pagehide', close);
    open();
  }

  // A form whose fields send it when they change; its button is for those
  // without a script.
  function filters(root) {
    for (const select of root.querySelectorAll('form[data-auto] select')) {
      select.addEventListener('change', () => select.form.requestSubmit());
    }
  }

  // Tables that are wider than the page can be scrolled by keyboard, also in
  // browsers that do not see to it.
  function scrollers(root) {
    for (const box of root.querySelectorAll('.scroll')) {
      if (box.scrollWidth <= box.clientWidth || box.tabIndex >= 0) continue;
      box.tabIndex = 0;
      box.setAttribute('role', 'group');
      box.setAttribute('aria-label', box.querySelector('caption, title')?.textContent || 'More to the right');
    }
  }

  // Questions before what can't be taken back.
  function confirms() {
    document.addEventListener('submit', (e) => {
      const question = e.submitter?.dataset.confirm;
      if (question && !window.confirm(question)) e.preventDefault();
    });
  }

  times(document);
  setInterval(() => times(document), 15000);
  theme();
  copying(document);
  filters(document);
  confirms();
  scrollers(document);
  live();
})();

// Faults of the page that a person would meet, as a list of sentences. It is
// evaluated in each view, in each theme and width.
(() => {
  const faults = [];
  const fault = (what, e) => faults.push(e ? `${what}: ${name(e)}` : what);
  const name = (e) => {
    const text = (e.innerText ?? e.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 60);
    return `<${e.localName}${e.id ? ' id=' + e.id : ''}${e.classList.length ? ' class=' + [...e.classList].join('.') : ''}> ${JSON.stringify(text)}`;
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  const shown = (e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });

  // What it is called and how it is divided.
  const h1 = all('h1').filter(shown);
  if (h1.length !== 1 || !h1[0].innerText.trim()) fault(`${h1.length} h1 headings`);
  if (!document.title.trim()) fault('no title');
  if (!document.documentElement.lang) fault('no language');
  if (all('main').length !== 1) fault('not one main');
  let level = 1;
  for (const h of all('h1, h2, h3, h4, h5, h6').filter(shown)) {
    const l = Number(h.localName[1]);
    if (l > level + 1) fault(`heading skips from h${level}`, h);
    level = l;
  }
  const navs = all('nav').map((n) => n.getAttribute('aria-label') || n.getAttribute('aria-labelledby') || '');
  if (navs.includes('')) fault('a nav has no label');
  if (new Set(navs).size !== navs.length) fault(`navs of one label: ${navs}`);

  // Ids and what refers to them.
  const ids = all('[id]').map((e) => e.id);
  for (const id of new Set(ids)) if (ids.indexOf(id) !== ids.lastIndexOf(id)) fault(`id ${id} is there twice`);
  for (const a of ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls']) {
    for (const e of all(`[${a}]`)) {
      for (const id of e.getAttribute(a).split(/\s+/)) if (!document.getElementById(id)) fault(`${a}=${id} leads nowhere`, e);
    }
  }

  // What may not be there at all.
  for (const e of all('*')) {
    for (const a of e.attributes) {
      if (a.name.startsWith('on') || a.name === 'style' && e.namespaceURI === 'http://www.w3.org/1999/xhtml') fault(`attribute ${a.name}`, e);
    }
  }
  for (const e of all('script:not([src]), style, iframe, frame, object, embed, base, meta[http-equiv], math, foreignObject, audio, video, img')) fault('element', e);
  for (const e of all('a[href], form[action]')) {
    const to = new URL(e.getAttribute('href') ?? e.getAttribute('action'), location.href);
    if (!/^https?:$/.test(to.protocol)) fault(`leads to ${to.protocol}`, e);
    if (to.origin !== location.origin && !/\bnoopener\b/.test(e.rel ?? '')) fault('leads elsewhere without rel=noopener', e);
  }

  // Tables.
  for (const t of all('table')) {
    if (!t.caption) fault('table without a caption', t);
    for (const th of t.querySelectorAll('th')) if (!th.scope) fault('th without a scope', th);
  }
  // Those that are stacked on narrow screens stay tables for those who listen,
  // and each cell says its column to those who look.
  for (const t of all('table.stack, table.jobs')) {
    const roles = { table: 'table', thead: 'rowgroup', tbody: 'rowgroup', tr: 'row', td: 'cell', th: /^(columnheader|rowheader)$/ };
    for (const e of [t, ...t.querySelectorAll('thead, tbody, tr, th, td')]) {
      if (!(e.getAttribute('role') ?? '').match(roles[e.localName])) fault('stacked table without the role', e);
    }
    const columns = t.tHead.rows[0].cells.length;
    for (const td of t.querySelectorAll('td:not([colspan])')) if (columns > 2 && !td.dataset.label) fault('cell without its label', td);
  }

  // Wider than the window.
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    const wide = all('body *').filter((e) => e.getBoundingClientRect().right > width + 1 && !e.closest('.scroll'));
    fault(`the page is ${document.documentElement.scrollWidth} px wide, the window ${width}, because of ${wide.slice(0, 3).map(name).join(', ')}`);
  }
  for (const e of all('h1, h2, th, td, dd, p, .tile, button, .button').filter(shown)) {
    const box = e.getBoundingClientRect();
    if ((box.right > width + 1 || box.left < -1) && !e.closest('.scroll, .skip, .hidden-word, pre')) fault(`stands out of the window at ${Math.round(box.left)}–${Math.round(box.right)}`, e);
  }

  // Tables are read on a telephone without moving them sideways.
  for (const e of all('.scroll:has(table)').filter(shown)) {
    if (width < 500 && e.scrollWidth > e.clientWidth + 1) fault(`table of ${e.scrollWidth} px in ${e.clientWidth}`, e.querySelector('table'));
  }

  // Large enough to be hit: https://www.w3.org/TR/WCAG22/#target-size-minimum
  for (const e of all('button, select, input:not([type=hidden], [type=checkbox]), textarea, .button').filter(shown)) {
    const box = e.getBoundingClientRect();
    if (box.height < 23.5 || box.width < 23.5) fault(`only ${Math.round(box.width)}×${Math.round(box.height)} px large`, e);
  }

  // Contrast: https://www.w3.org/TR/WCAG22/#contrast-minimum
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const rgba = (color) => {
    if (!known.has(color)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(color, [r, g, b, a / 255]);
    }
    return known.get(color);
  };
  const over = (top, under) => top.slice(0, 3).map((c, i) => c * top[3] + under[i] * (1 - top[3])).concat(1);
  const ground = (e) => {
    const layers = [];
    for (let p = e; p; p = p.parentElement) {
      const c = rgba(getComputedStyle(p).backgroundColor);
      if (c[3] > 0) layers.push(c);
      if (c[3] === 1) break;
    }
    const canvasColor = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
    return layers.reverse().reduce((under, top) => over(top, under), canvasColor);
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (a, b) => { const [l, d] = [light(a), light(b)].sort((x, y) => y - x); return (l + 0.05) / (d + 0.05); };
  const told = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !shown(e) || e.closest('.hidden-word, option, title, desc, script, :disabled')) continue;
    const style = getComputedStyle(e);
    const color = rgba(e.namespaceURI.endsWith('svg') ? style.fill : style.color);
    let opacity = 1;
    for (let p = e; p; p = p.parentElement) opacity *= Number(getComputedStyle(p).opacity);
    const under = ground(e);
    const got = ratio(over([...color.slice(0, 3), color[3] * opacity], under), under);
    const size = parseFloat(style.fontSize);
    const need = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700 ? 3 : 4.5;
    const key = `${style.color} on ${under.map(Math.round)} ${e.className}`;
    if (got < need && !told.has(key)) { told.add(key); fault(`contrast ${got.toFixed(2)} below ${need} (${style.color} on ${under.slice(0, 3).map(Math.round)})`, e); }
  }
  return faults;
})()

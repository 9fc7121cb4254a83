// Histories: one plot per panel, drawn when it comes into sight, with one cursor and one zoom for all of them.

const DASHES = [[], [6, 4], [2, 3], [9, 3, 2, 3], [4, 2, 1, 2, 1, 2]];

class Plots {
  constructor(data, onTime) {
    this.data = data;
    this.onTime = onTime;
    this.range = null;
    this.spectra = false;
    this.difference = false;
    this.panels = [];
    this.box = document.getElementById('panels');
    this.nav = document.getElementById('groups');
    this.sight = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const panel = this.panels.find((one) => one.place === entry.target);
        panel.seen = entry.isIntersecting;
        if (panel.seen) this.draw(panel);
      }
    }, { rootMargin: '300px' });
    this.build();
  }

  build() {
    const sections = new Map();
    this.data.panels.forEach((word, number) => {
      if (!sections.has(word.section)) sections.set(word.section, []);
      sections.get(word.section).push([word, number]);
    });
    let count = 0;
    for (const [name, words] of sections) {
      const id = `group-${count++}`;
      this.nav.append(made('a', { href: `#${id}` }, name));
      this.box.append(made('h3', { id }, name));
      const grid = made('div', { class: 'grid' });
      for (const [word, number] of words) grid.append(this.panel(word, number));
      this.box.append(grid);
    }
  }

  panel(word, number) {
    const place = made('div', { class: 'plot', tabindex: '0', role: 'group', 'aria-label': `${word.section}: ${word.title}, plot over time. Arrow keys move the time.` });
    const rows = word.curves.map((curve) => {
      const key = made('i', { class: 'key' });
      const name = made('th', { scope: 'row' }, key, this.labelOf(curve));
      if (curve.openfast) name.append(' ', made('small', {}, curve.openfast));
      const cells = curve.statistics.map((value) => made('td', {}, inWords(value, '')));
      const now = made('td', { class: 'now' }, '');
      return { element: made('tr', {}, name, ...cells, now), key, now };
    });
    const heads = ['', 'mean', 'deviation', 'lowest', 'highest', 'now'].map((text) => made('th', { scope: 'col' }, text || made('span', { class: 'unseen' }, 'curve')));
    const table = made('table', {}, made('thead', {}, made('tr', {}, ...heads)), made('tbody', {}, ...rows.map((row) => row.element)));
    const element = made('article', { class: 'panel' }, made('h4', {}, word.title, made('span', {}, `[${word.unit}]`)), place, made('div', { class: 'wide' }, table));
    const panel = { word, place, rows, element, plot: null, stale: true, seen: false, number };
    this.panels.push(panel);
    this.sight.observe(place);
    place.addEventListener('keydown', (event) => this.key(event));
    place.addEventListener('dblclick', () => this.zoom(null));
    return element;
  }

  labelOf(curve) {
    return this.data.runs.length > 1 ? `${curve.label} (${this.data.runs[curve.run]})` : curve.label;
  }

  curvesOf(panel) {
    const { curves } = panel.word;
    if (!this.difference || this.data.runs.length < 2) return curves.map((curve) => ({ curve, values: numbers(curve.values) }));
    return curves.filter((curve) => curve.run > 0).map((curve) => {
      const base = numbers(curves.find((one) => one.run === 0 && one.label === curve.label).values);
      return { curve, values: numbers(curve.values).map((value, i) => value - base[i]) };
    });
  }

  colourOf(panel, curve) {
    const own = panel.word.curves.filter((one) => one.run === 0);
    const at = own.findIndex((one) => one.label === curve.label);
    return colour(`--c${at % 7}`);
  }

  draw(panel) {
    if (!panel.stale || !panel.seen) return;
    panel.stale = false;
    if (panel.plot) panel.plot.destroy();
    const spectral = this.spectra && panel.word.frequency;
    const curves = this.curvesOf(panel);
    const series = [{}].concat(curves.map(({ curve }) => ({
      label: curve.label, stroke: this.colourOf(panel, curve), width: 1.3,
      dash: DASHES[curve.run % DASHES.length], points: { show: false }, spanGaps: false,
    })));
    panel.word.curves.forEach((curve, i) => {
      panel.rows[i].key.style.background = this.colourOf(panel, curve);
    });
    const x = spectral ? numbers(panel.word.frequency) : numbers(panel.word.time);
    const data = [Array.from(x)].concat(curves.map(({ curve, values }) => Array.from(spectral ? numbers(curve.density) : values, (v) => (Number.isFinite(v) ? v : null))));
    const ink = colour('--soft');
    const axis = { stroke: ink, grid: { stroke: colour('--faint'), width: 1 }, ticks: { stroke: colour('--line'), size: 4 }, font: '12px system-ui, sans-serif' };
    const options = {
      width: panel.place.clientWidth || 500, height: 210, series, legend: { show: false },
      scales: { x: { time: false, range: spectral ? undefined : () => this.range || [this.data.begin, this.data.end] } },
      axes: [
        { ...axis, size: 34, label: spectral ? 'frequency [Hz]' : undefined, labelSize: 14, labelFont: '12px system-ui, sans-serif', values: (u, ticks) => ticks.map((v) => (spectral ? rounded(v) : `${rounded(v)} s`)) },
        { ...axis, size: 62, values: (u, ticks) => ticks.map((v) => inWords(v, '').replace(/e(-?\d+)/, 'e$1')) },
      ],
      cursor: {
        sync: spectral ? undefined : { key: 'time', setSeries: false, scales: ['x', null] },
        drag: { x: true, y: false, setScale: false }, points: { size: 6 },
      },
      hooks: {
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          const range = [u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')];
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          if (spectral) u.setScale('x', { min: range[0], max: range[1] });
          else this.zoom(range);
        }],
        draw: [(u) => this.mark(u, spectral)],
      },
    };
    panel.plot = new V.uPlot(options, data, panel.place);
    panel.spectral = spectral;
    if (!spectral) {
      const over = panel.place.querySelector('.u-over');
      over.addEventListener('click', (event) => {
        const at = panel.plot.posToVal(event.offsetX, 'x');
        this.onTime(Math.min(Math.max(at, this.data.begin), this.data.end));
      });
    }
    this.now(panel, this.time ?? this.data.begin);
  }

  /** The present time as a line, and what statistics leave out as a shade. */
  mark(u, spectral) {
    if (spectral) return;
    const { ctx, bbox } = u;
    ctx.save();
    if (this.data.settled !== null) {
      const until = Math.min(Math.max(u.valToPos(this.data.settled, 'x', true), bbox.left), bbox.left + bbox.width);
      ctx.fillStyle = `${colour('--soft')}22`;
      ctx.fillRect(bbox.left, bbox.top, until - bbox.left, bbox.height);
    }
    const x = u.valToPos(this.time ?? this.data.begin, 'x', true);
    if (x >= bbox.left && x <= bbox.left + bbox.width) {
      ctx.strokeStyle = colour('--accent');
      ctx.lineWidth = 1.5 * (window.devicePixelRatio || 1);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  now(panel, t) {
    if (panel.spectral) return;
    const times = numbers(panel.word.time);
    const [row, part] = placeIn(times, t);
    panel.word.curves.forEach((curve, i) => {
      const values = numbers(curve.values);
      const next = Math.min(row + 1, values.length - 1);
      panel.rows[i].now.textContent = inWords(values[row] + part * (values[next] - values[row]), '');
    });
  }

  setTime(t) {
    this.time = t;
    for (const panel of this.panels) {
      if (!panel.plot || !panel.seen) continue;
      panel.plot.redraw(false, false);
      this.now(panel, t);
    }
  }

  zoom(range) {
    this.range = range;
    for (const panel of this.panels) {
      if (panel.plot && !panel.spectral) {
        const [min, max] = range || [this.data.begin, this.data.end];
        panel.plot.setScale('x', { min, max });
      } else if (panel.plot) panel.plot.setData(panel.plot.data);
    }
  }

  zoomBy(factor) {
    const [low, high] = this.range || [this.data.begin, this.data.end];
    const middle = Math.min(Math.max(this.time ?? low, low), high);
    const range = [Math.max(middle - factor * (middle - low), this.data.begin), Math.min(middle + factor * (high - middle), this.data.end)];
    this.zoom(range[1] - range[0] >= this.data.end - this.data.begin ? null : range);
  }

  key(event) {
    const [low, high] = this.range || [this.data.begin, this.data.end];
    const step = ((event.shiftKey ? 0.1 : 0.01) * (high - low)) || 0;
    const keys = {
      ArrowLeft: () => this.onTime(Math.max((this.time ?? this.data.begin) - step, this.data.begin)),
      ArrowRight: () => this.onTime(Math.min((this.time ?? this.data.begin) + step, this.data.end)),
      '+': () => this.zoomBy(0.5), '=': () => this.zoomBy(0.5), '-': () => this.zoomBy(2), 0: () => this.zoom(null),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  refresh() {
    for (const panel of this.panels) {
      panel.stale = true;
      this.draw(panel);
    }
  }

  resize() {
    for (const panel of this.panels) if (panel.plot) panel.plot.setSize({ width: panel.place.clientWidth, height: 210 });
  }
}

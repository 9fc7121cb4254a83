// The page: what buttons, keys and the clock do.

const SPEEDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200];
const find = (id) => document.getElementById(id);

class Page {
  constructor() {
    this.playing = false;
    this.time = DATA.begin;
    this.span = Math.max(DATA.end - DATA.begin, 1e-12);
    this.speed = this.fitting();
    this.theme(window.matchMedia('(prefers-color-scheme: dark)').matches);
    this.plots = new Plots(DATA, (t) => this.setTime(t));
    try {
      this.stage = new Stage(find('canvas'), DATA);
    } catch (error) {
      this.stage = null;
      find('failed').hidden = false;
      find('failed').textContent = 'This browser shows no three-dimensional scene (WebGL is off); the histories below are complete.';
    }
    this.wire();
    if (this.stage) {
      this.stage.resize();
      this.stage.fit(DATA.scene.view);
      this.stage.paint(this.dark);
    }
    this.setTime(this.time);
    requestAnimationFrame((now) => this.frame(now));
  }

  /** Return the speed at which a run lasts between ten and thirty seconds, real time if that is near. */
  fitting() {
    if (this.span >= 4 && this.span <= 60) return 1;
    const wanted = this.span / 18;
    return SPEEDS.reduce((best, one) => (Math.abs(Math.log(one / wanted)) < Math.abs(Math.log(best / wanted)) ? one : best));
  }

  wire() {
    const on = (id, event, call) => find(id).addEventListener(event, call);
    for (const speed of SPEEDS) {
      const option = made('option', { value: speed }, speed < 1 ? `1/${Math.round(1 / speed)}` : `${speed} ×`);
      if (speed === this.speed) option.selected = true;
      find('speed').append(option);
    }
    DATA.scene.bodies.forEach((body, i) => {
      find('follow').append(made('option', { value: i }, body.name));
      find('trace').append(made('option', { value: `body ${i}` }, body.name));
    });
    DATA.scene.joints.forEach((joint, i) => {
      if (joint.body >= 0) find('trace').append(made('option', { value: `joint ${i}` }, `joint ${joint.name}`));
    });
    DATA.modes.forEach((mode, i) => {
      const period = mode.period === null ? 'rigid' : `${rounded(mode.period)} s`;
      find('mode').append(made('option', { value: i }, `${mode.name}: ${period}`));
      find('mode-label').hidden = false;
    });
    on('play', 'click', () => this.play(!this.playing));
    on('slider', 'input', () => { this.play(false); this.setTime(DATA.begin + this.span * Number(find('slider').value)); });
    on('speed', 'change', () => { this.speed = Number(find('speed').value); });
    on('theme', 'click', () => this.theme(!this.dark));
    on('whole', 'click', () => this.plots.zoom(null));
    on('spectra', 'change', () => { this.plots.spectra = find('spectra').checked; this.plots.refresh(); });
    on('difference', 'change', () => { this.plots.difference = find('difference').checked; this.plots.refresh(); });
    find('difference-label').hidden = DATA.runs.length < 2;
    document.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('resize', () => { if (this.stage) this.stage.resize(); this.plots.resize(); });
    if (!this.stage) return;
    on('follow', 'change', () => { const value = find('follow').value; this.stage.setFollow(value === '' ? -1 : Number(value)); });
    on('trace', 'change', () => this.stage.setTrace(this.pointOf(find('trace').value)));
    on('mode', 'change', () => {
      const value = find('mode').value;
      this.stage.mode = value === '' ? null : DATA.modes[Number(value)];
      this.stage.dirty = true;
      if (value !== '') this.play(true);
    });
    for (const name of Object.keys(this.stage.show)) {
      on(`show-${name}`, 'change', () => { this.stage.show[name] = find(`show-${name}`).checked; this.stage.dirty = true; this.legend(); });
    }
    for (const button of document.querySelectorAll('[data-view]')) button.addEventListener('click', () => this.view(button.dataset.view));
    let pressed = null;
    on('canvas', 'pointerdown', (event) => { pressed = [event.clientX, event.clientY]; });
    on('canvas', 'pointerup', (event) => {
      if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;
      const box = find('canvas').getBoundingClientRect();
      const end = this.stage.pick((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
      if (end) this.stage.setTrace(end);
    });
  }

  pointOf(value) {
    const [kind, number] = value.split(' ');
    if (kind === 'body') return { body: Number(number), point: [0, 0, 0] };
    if (kind === 'joint') return DATA.scene.joints[Number(number)];
    return null;
  }

  view(name) {
    const up = this.stage.up;
    const front = new V.Vector3(-1, 0, 0).addScaledVector(up, up.x);
    if (front.length() < 0.1) front.set(0, -1, 0).addScaledVector(up, up.y);
    front.normalize();
    const side = new V.Vector3().crossVectors(up, front);
    const top = up.clone().addScaledVector(side, 1e-3);
    const ways = { fit: DATA.scene.view, front: front.addScaledVector(up, 0.05).toArray(), side: side.addScaledVector(up, 0.05).toArray(), top: top.toArray() };
    this.stage.fit(ways[name]);
  }

  legend() {
    const box = find('legend');
    box.replaceChildren();
    const add = (hue, kinds, name, what, unit) => {
      if (!kinds || !this.stage.show[name] || !kinds[name].largest) return;
      const key = made('i');
      key.style.background = hue;
      box.append(made('div', {}, key, `${what}, longest ${inWords(kinds[name].largest, unit)}`));
    };
    add(ARROW_FORCE, this.stage.loadArrows, 'forces', 'loads', 'N');
    add(ARROW_REACTION, this.stage.jointArrows, 'forces', 'reactions on the child', 'N');
    add(ARROW_MOMENT, this.stage.loadArrows, 'moments', 'moments of loads', 'N m');
    add(ARROW_MOMENT, this.stage.jointArrows, 'moments', 'moments through joints', 'N m');
  }

  play(yes) {
    this.playing = yes;
    if (yes && this.time >= DATA.end && !(this.stage && this.stage.mode)) this.setTime(DATA.begin);
    find('play').textContent = yes ? 'Pause' : 'Play';
    find('play').setAttribute('aria-pressed', String(yes));
    this.last = null;
  }

  setTime(t) {
    this.time = t;
    find('slider').value = (t - DATA.begin) / this.span;
    find('slider').setAttribute('aria-valuetext', `${rounded(t)} seconds`);
    find('clock').textContent = `t = ${this.clock(t)} s`;
    if (this.stage) { this.stage.time = t; this.stage.dirty = true; }
    this.plots.setTime(t);
  }

  clock(t) {
    const digits = this.span < 0.5 ? 5 : this.span < 20 ? 2 : 1;
    return t.toFixed(digits);
  }

  frame(now) {
    const mode = this.stage && this.stage.mode;
    if (this.playing && this.last !== null && this.last !== undefined) {
      const passed = Math.min((now - this.last) / 1000, 0.25);
      if (mode) {
        this.stage.phase = (this.stage.phase || 0) + (2 * Math.PI * passed) / 2.5;
        this.stage.dirty = true;
      } else {
        let t = this.time + passed * this.speed;
        if (t >= DATA.end) { t = DATA.end; this.play(false); }
        this.setTime(t);
      }
    }
    this.last = now;
    if (this.stage && this.stage.dirty) this.stage.update();
    requestAnimationFrame((next) => this.frame(next));
  }

  key(event) {
    const inControl = /^(SELECT|BUTTON|A|TEXTAREA)$/.test(event.target.tagName) || event.target.type === 'checkbox' || event.target.type === 'range';
    if (event.key === ' ' && !inControl) { event.preventDefault(); this.play(!this.playing); }
    if (event.target !== find('canvas') || !this.stage) return;
    const keys = {
      ArrowLeft: [-0.1, 0, 1], ArrowRight: [0.1, 0, 1], ArrowUp: [0, -0.08, 1], ArrowDown: [0, 0.08, 1],
      '+': [0, 0, 0.88], '=': [0, 0, 0.88], '-': [0, 0, 1.14],
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    this.stage.orbit(...keys[event.key]);
  }

  theme(dark) {
    this.dark = dark;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    find('theme').textContent = dark ? 'Light' : 'Dark';
    if (this.stage) this.stage.paint(dark);
    if (this.plots) this.plots.refresh();
  }
}

// After the first picture of the page, so that what is written on it is there at once.
requestAnimationFrame(() => setTimeout(() => { window.fairlead = new Page(); }, 0));

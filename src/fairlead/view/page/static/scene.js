// The scene: bodies as they move, what they are joined by, and what pushes them.

const V = Vendor;
const ARROW_FORCE = '#c93c2b';
const ARROW_REACTION = '#1f7f5c';
const ARROW_MOMENT = '#8a4fb0';

class Arrow {
  constructor(colour, double) {
    this.group = new V.Group();
    const material = new V.MeshStandardMaterial({ color: colour, roughness: 0.5 });
    this.shaft = new V.Mesh(ARROW_SHAFT, material);
    this.group.add(this.shaft);
    this.heads = (double ? [1, 0.78] : [1]).map((at) => {
      const head = new V.Mesh(ARROW_HEAD, material);
      head.userData.at = at;
      this.group.add(head);
      return head;
    });
    this.way = new V.Vector3();
  }

  /** Show a vector of a length at a place; nothing where it is too short to see. */
  set(place, x, y, z, scale, thick) {
    const length = Math.hypot(x, y, z) * scale;
    this.group.visible = length > 1.5 * thick;
    if (!this.group.visible) return;
    this.way.set(x, y, z).normalize();
    this.group.position.copy(place);
    this.group.quaternion.setFromUnitVectors(UP_Y, this.way);
    const head = Math.min(5 * thick, 0.5 * length);
    this.shaft.scale.set(thick, length - 0.8 * head, thick);
    for (const one of this.heads) {
      one.scale.set(0.55 * head, head, 0.55 * head);
      one.position.y = one.userData.at === 1 ? length - 0.5 * head : length - 1.1 * head;
    }
  }
}

const UP_Y = new V.Vector3(0, 1, 0);
const ARROW_SHAFT = new V.CylinderGeometry(0.5, 0.5, 1, 10).translate(0, 0.5, 0);
const ARROW_HEAD = new V.ConeGeometry(0.5, 1, 14);

class Stage {
  constructor(canvas, data) {
    this.canvas = canvas;
    this.words = data.scene;
    this.data = data;
    this.time = data.begin;
    this.dirty = true;
    this.scriptTimes = [];
    this.size = this.words.size;
    this.radius = this.words.radius;
    this.renderer = new V.WebGLRenderer({ canvas, antialias: true, alpha: true, stencil: true, preserveDrawingBuffer: true });
    this.scene = new V.Scene();
    this.camera = new V.PerspectiveCamera(36, 1, this.radius / 200, this.radius * 200);
    this.up = new V.Vector3(...this.words.up);
    this.camera.up.copy(this.up);
    this.controls = new V.OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => { this.dirty = true; });
    this.times = numbers(this.words.time);
    this.poses = numbers(this.words.poses);
    this.count = this.words.bodies.length;
    this.place = new V.Vector3();
    this.scratch = new V.Vector3();
    this.turn = [new V.Quaternion(), new V.Quaternion()];
    this.mode = null;
    this.show = { joints: false, forces: false, moments: false, frames: false, names: false };
    this.follow = -1;
    this.followed = new V.Vector3();
    this.trace = null;
    this.build();
    this.fit(this.words.view);
  }

  build() {
    this.lights();
    this.bodies = this.words.bodies.map((body, number) => this.body(body, number));
    this.tethers = this.words.lines.map((word) => {
      const tether = new Tether(word, this.words.origin);
      this.scene.add(tether.line);
      return tether;
    });
    if (this.words.sea) this.water();
    else this.ground();
    this.buildJoints();
    this.buildArrows();
    this.path = new V.Line(new V.BufferGeometry(), new V.LineBasicMaterial({ color: '#c93c2b' }));
    this.path.frustumCulled = false;
    this.path.visible = false;
    this.scene.add(this.path);
    this.names = this.words.bodies.map((body, number) => {
      const tag = made('div', { class: 'tag' }, body.name);
      tag.hidden = true;
      this.canvas.parentElement.append(tag);
      return tag;
    });
  }

  lights() {
    this.sky = new V.HemisphereLight('#ffffff', '#8b95a0', 1.5);
    this.sky.position.copy(this.up);
    this.sun = new V.DirectionalLight('#ffffff', 2.1);
    const aside = new V.Vector3(-0.5, -0.8, 0.3);
    this.sun.position.copy(this.up).multiplyScalar(1.6).add(aside).multiplyScalar(2 * this.radius);
    this.scene.add(this.sky, this.sun, this.sun.target);
  }

  body(word, number) {
    const group = new V.Group();
    group.name = word.name;
    for (const solid of word.solids) {
      const geometry = new V.BufferGeometry();
      geometry.setAttribute('position', new V.BufferAttribute(numbers(solid.corners), 3));
      geometry.setIndex(new V.BufferAttribute(numbers(solid.triangles), 1));
      geometry.computeVertexNormals();
      const mesh = new V.Mesh(geometry, new V.MeshStandardMaterial({ color: solid.colour, roughness: 0.58, metalness: 0.04 }));
      mesh.userData.body = number;
      group.add(mesh);
    }
    const frame = new V.Group();
    ['#d1402f', '#2f9c5a', '#2f6fd1'].forEach((hue, axis) => {
      const arrow = new Arrow(hue, false);
      const way = [0, 0, 0];
      way[axis] = 1;
      arrow.set(new V.Vector3(), ...way, 0.16 * this.size, 0.008 * this.size);
      frame.add(arrow.group);
    });
    frame.visible = false;
    group.add(frame);
    this.scene.add(group);
    return { group, frame };
  }

  water() {
    const sea = this.words.sea;
    this.sea = new Water(sea, this.words.origin, Math.max(1.7 * this.radius, 20));
    this.scene.add(this.sea.mesh);
    if (sea.depth && sea.depth < 8 * this.radius) {
      const reach = 12 * this.radius;
      const bed = new V.Mesh(new V.PlaneGeometry(reach, reach), new V.MeshBasicMaterial({ color: '#b9a98a', transparent: true, opacity: 0.28, depthWrite: false, side: V.DoubleSide }));
      bed.position.set(0, 0, -sea.depth - this.words.origin[2]);
      this.bed = bed;
      this.scene.add(bed);
    }
  }

  /** A floor below what moves where there is gravity and something stands on the world; none in orbit. */
  ground() {
    const standing = this.words.joints.some((joint) => joint.body < 0);
    if (!standing) return;
    const times = [...Array(60).keys()].map((i) => this.data.begin + (i / 59) * (this.data.end - this.data.begin));
    const low = Math.min(...this.corners(times).map((point) => point.dot(this.up)));
    if (!Number.isFinite(low)) return;
    const level = low - 0.04 * this.radius;
    const reach = 14 * this.radius;
    const cell = 10 ** Math.round(Math.log10(this.radius / 2.5));
    this.floor = new V.Mesh(
      new V.PlaneGeometry(reach, reach),
      new V.ShaderMaterial({
        transparent: true, depthWrite: false, side: V.DoubleSide,
        uniforms: { cell: { value: cell }, reach: { value: 4.5 * this.radius }, ink: { value: new V.Color() } },
        vertexShader: 'varying vec2 place; void main() { place = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
        fragmentShader: `varying vec2 place; uniform float cell; uniform float reach; uniform vec3 ink;
          float lines(float size) { vec2 c = abs(fract(place / size - 0.5) - 0.5) / fwidth(place / size); return 1.0 - min(min(c.x, c.y), 1.0); }
          void main() { float fade = 1.0 - smoothstep(0.25, 1.0, length(place) / reach);
            gl_FragColor = vec4(ink, fade * max(0.35 * lines(cell), 0.16 * lines(cell / 5.0)) + 0.05 * fade); }`,
      }),
    );
    this.floor.quaternion.setFromUnitVectors(new V.Vector3(0, 0, 1), this.up);
    this.pose(this.data.begin);
    const middle = this.middle();
    this.floor.position.copy(middle).addScaledVector(this.up, level - middle.dot(this.up));
    this.floor.renderOrder = -2;
    this.scene.add(this.floor);
    this.shadows(level);
  }

  /** Shadows as the bodies laid flat on the floor along the light, each spot darkened once. */
  shadows(level) {
    const light = this.sun.position.clone().normalize();
    const n = this.up;
    const d = -(level + 0.002 * this.radius);
    const dot = n.dot(light);
    const flat = new V.Matrix4().set(
      dot - light.x * n.x, -light.x * n.y, -light.x * n.z, -light.x * d,
      -light.y * n.x, dot - light.y * n.y, -light.y * n.z, -light.y * d,
      -light.z * n.x, -light.z * n.y, dot - light.z * n.z, -light.z * d,
      0, 0, 0, dot,
    );
    const material = new V.MeshBasicMaterial({
      color: '#000000', transparent: true, opacity: 0.2, depthWrite: false, side: V.DoubleSide,
      stencilWrite: true, stencilRef: 1, stencilFunc: V.NotEqualStencilFunc, stencilZPass: V.ReplaceStencilOp,
    });
    this.flat = flat;
    this.shades = [];
    for (const { group } of this.bodies) {
      for (const mesh of group.children) {
        if (!mesh.isMesh) continue;
        const shade = new V.Mesh(mesh.geometry, material);
        shade.matrixAutoUpdate = false;
        shade.frustumCulled = false;
        shade.renderOrder = -1;
        this.shades.push([shade, group]);
        this.scene.add(shade);
      }
    }
  }

  buildJoints() {
    this.joints = this.words.joints.map((joint) => {
      const group = new V.Group();
      const hue = joint.body < 0 ? '#44505c' : '#d08a1c';
      const material = new V.MeshStandardMaterial({ color: hue, roughness: 0.4 });
      group.add(new V.Mesh(new V.SphereGeometry(0.026 * this.size, 16, 12), material));
      for (const axis of joint.axes) {
        const bar = new V.Mesh(ARROW_SHAFT, material);
        bar.scale.set(0.012 * this.size, 0.34 * this.size, 0.012 * this.size);
        bar.quaternion.setFromUnitVectors(UP_Y, new V.Vector3(...axis).normalize());
        bar.position.set(...axis).multiplyScalar(-0.17 * this.size);
        group.add(bar);
      }
      group.visible = false;
      this.scene.add(group);
      return group;
    });
  }

  buildArrows() {
    const make = (words, force, moment, hue) => {
      if (!words.length || !this.words[force]) return null;
      const kinds = {};
      for (const [name, ref, double, tone] of [['forces', this.words[force], false, hue], ['moments', this.words[moment], true, ARROW_MOMENT]]) {
        const values = numbers(ref);
        let largest = 0;
        for (let i = 0; i < values.length; i += 3) largest = Math.max(largest, Math.hypot(values[i], values[i + 1], values[i + 2]));
        kinds[name] = { values, scale: largest > 0 ? 0.42 * this.radius / largest : 0, largest: largest * ref.scale };
        kinds[name].arrows = words.map(() => {
          const arrow = new Arrow(tone, double);
          arrow.group.visible = false;
          this.scene.add(arrow.group);
          return arrow;
        });
      }
      return kinds;
    };
    this.loadArrows = make(this.words.loads, 'load_force', 'load_moment', ARROW_FORCE);
    this.jointArrows = make(this.words.joints, 'joint_force', 'joint_moment', ARROW_REACTION);
  }

  /** Put every body where it is at a time. */
  pose(t) {
    const [row, part] = placeIn(this.times, t);
    const width = 7 * this.count;
    const next = Math.min(row + 1, this.times.length - 1);
    this.row = row;
    this.part = part;
    for (let i = 0; i < this.count; i++) {
      const a = row * width + 7 * i;
      const b = next * width + 7 * i;
      const { group } = this.bodies ? this.bodies[i] : { group: null };
      const p = this.poses;
      group.position.set(p[a] + part * (p[b] - p[a]), p[a + 1] + part * (p[b + 1] - p[a + 1]), p[a + 2] + part * (p[b + 2] - p[a + 2]));
      this.turn[0].set(p[a + 3], p[a + 4], p[a + 5], p[a + 6]);
      this.turn[1].set(p[b + 3], p[b + 4], p[b + 5], p[b + 6]);
      group.quaternion.slerpQuaternions(this.turn[0], this.turn[1], part);
    }
  }

  /** Put every body where it is in a mode, as far as can be seen well. */
  poseMode(phase) {
    const mode = this.mode;
    const shape = numbers(mode.shape);
    const half = 6 * this.count;
    let largest = 0;
    for (let i = 0; i < this.count; i++) {
      const o = 6 * i;
      largest = Math.max(largest, Math.hypot(shape[o], shape[o + 1], shape[o + 2], shape[half + o], shape[half + o + 1], shape[half + o + 2]));
      largest = Math.max(largest, this.size * 0.5 * Math.hypot(shape[o + 3], shape[o + 4], shape[o + 5], shape[half + o + 3], shape[half + o + 4], shape[half + o + 5]));
    }
    const gain = largest > 0 ? 0.11 * this.radius / largest : 0;
    const c = gain * Math.cos(phase);
    const s = gain * Math.sin(phase);
    for (let i = 0; i < this.count; i++) {
      const o = 6 * i;
      const moved = (j) => c * shape[o + j] - s * shape[half + o + j];
      const rest = mode.rest[i];
      const { group } = this.bodies[i];
      const origin = this.words.origin;
      group.position.set(rest[0] - origin[0] + moved(0), rest[1] - origin[1] + moved(1), rest[2] - origin[2] + moved(2));
      const angle = Math.hypot(moved(3), moved(4), moved(5));
      this.scratch.set(moved(3), moved(4), moved(5)).normalize();
      this.turn[0].setFromAxisAngle(angle > 0 ? this.scratch : UP_Y, angle);
      this.turn[1].set(rest[3], rest[4], rest[5], rest[6]);
      group.quaternion.multiplyQuaternions(this.turn[0], this.turn[1]);
    }
  }

  middle() {
    const sum = new V.Vector3();
    for (const { group } of this.bodies) sum.add(group.position);
    return sum.multiplyScalar(1 / Math.max(this.count, 1));
  }

  /** Return where an end or a point on a body is now. */
  endOf(end, out) {
    out.set(...end.point);
    if (end.body < 0) return out.sub(this.scratch.set(...this.words.origin));
    const { group } = this.bodies[end.body];
    return out.applyQuaternion(group.quaternion).add(group.position);
  }

  force(values, columns, column, out) {
    const row = 3 * (this.row * columns + column);
    const next = 3 * (Math.min(this.row + 1, this.times.length - 1) * columns + column);
    const f = (j) => values[row + j] + this.part * (values[next + j] - values[row + j]);
    return out.set(f(0), f(1), f(2));
  }

  /** Bring everything to the present time. */
  update() {
    const started = performance.now();
    if (this.mode) this.poseMode(this.phase || 0);
    else this.pose(this.time);
    const from = new V.Vector3();
    const f = new V.Vector3();
    const loads = this.words.load_force ? numbers(this.words.load_force) : null;
    for (const tether of this.tethers) {
      f.set(0, 0, 0);
      if (loads && tether.word.load >= 0 && tether.word.load < this.words.loads.length) {
        this.force(loads, this.words.loads.length, tether.word.load, f).multiplyScalar(this.words.load_force.scale);
      }
      tether.update((end, out) => this.endOf(end, out), f, this.size);
    }
    this.words.joints.forEach((joint, i) => {
      const group = this.joints[i];
      group.visible = this.show.joints;
      if (!group.visible) return;
      this.endOf(joint, group.position);
      if (joint.body >= 0) group.quaternion.copy(this.bodies[joint.body].group.quaternion);
    });
    for (const { frame } of this.bodies) frame.visible = this.show.frames;
    this.arrows(this.loadArrows, this.words.loads, from, f);
    this.arrows(this.jointArrows, this.words.joints, from, f);
    for (const [shade, group] of this.shades || []) {
      group.updateMatrix();
      shade.matrix.multiplyMatrices(this.flat, group.matrix);
    }
    this.followNow();
    this.traceNow();
    if (this.sea) this.sea.update(this.mode ? this.data.begin : this.time, this.camera.position);
    this.tags();
    this.renderer.render(this.scene, this.camera);
    this.scriptTimes.push(performance.now() - started);
    if (this.scriptTimes.length > 600) this.scriptTimes.shift();
    this.dirty = false;
  }

  arrows(kinds, words, from, f) {
    if (!kinds) return;
    for (const name of ['forces', 'moments']) {
      const { values, scale, arrows } = kinds[name];
      arrows.forEach((arrow, i) => {
        if (!this.show[name] || this.mode) { arrow.group.visible = false; return; }
        this.endOf(words[i], from);
        this.force(values, words.length, i, f);
        arrow.set(from, f.x, f.y, f.z, scale, 0.007 * this.radius);
      });
    }
  }

  followNow() {
    if (this.follow < 0) return;
    const place = this.bodies[this.follow].group.position;
    const moved = this.scratch.subVectors(place, this.followed);
    this.controls.target.add(moved);
    this.camera.position.add(moved);
    this.followed.copy(place);
    this.camera.lookAt(this.controls.target);
  }

  setFollow(number) {
    this.follow = number;
    if (number >= 0) {
      const place = this.bodies[number].group.position;
      const moved = place.clone().sub(this.controls.target);
      this.controls.target.copy(place);
      this.camera.position.add(moved);
      this.followed.copy(place);
      this.controls.update();
    }
    this.dirty = true;
  }

  /** Draw the way of a point fixed in a body, over all frames; what is past is what is drawn of it. */
  setTrace(end) {
    this.trace = end;
    this.path.visible = Boolean(end);
    this.dirty = true;
    if (!end) return;
    const now = this.time;
    const places = new Float32Array(3 * this.times.length);
    const p = new V.Vector3();
    for (let i = 0; i < this.times.length; i++) {
      this.pose(this.times[i]);
      this.endOf(end, p).toArray(places, 3 * i);
    }
    this.path.geometry.dispose();
    this.path.geometry = new V.BufferGeometry();
    this.path.geometry.setAttribute('position', new V.BufferAttribute(places, 3));
    this.pose(now);
  }

  traceNow() {
    if (!this.trace) return;
    this.path.visible = !this.mode;
    this.path.geometry.setDrawRange(0, Math.max(this.row + 1, 2));
  }

  tags() {
    const box = this.canvas.getBoundingClientRect();
    this.names.forEach((tag, i) => {
      tag.hidden = !this.show.names;
      if (tag.hidden) return;
      const [x, y] = this.onCanvas(i);
      tag.style.transform = `translate(${(x * box.width).toFixed(1)}px, ${(y * box.height - 10).toFixed(1)}px)`;
    });
  }

  /** Return where a body's mass centre is on the canvas, from 0 to 1 each way. */
  onCanvas(number) {
    const p = this.bodies[number].group.position.clone().project(this.camera);
    return [0.5 + 0.5 * p.x, 0.5 - 0.5 * p.y];
  }

  /** Return the place on a body that a ray through the canvas meets first. */
  pick(x, y) {
    const ray = new V.Raycaster();
    ray.setFromCamera(new V.Vector2(2 * x - 1, 1 - 2 * y), this.camera);
    const meshes = this.bodies.flatMap(({ group }) => group.children.filter((one) => one.isMesh));
    const [hit] = ray.intersectObjects(meshes, false);
    if (!hit) return null;
    const body = hit.object.userData.body;
    const point = hit.object.worldToLocal(hit.point.clone());
    return { body, point: point.toArray() };
  }

  /** Look from a direction, all bodies in sight wherever they go, unless they go far: then where they are now. */
  fit(way) {
    const now = this.corners([this.time]);
    if (!now.length) return;
    const all = this.corners([...Array(25).keys()].map((i) => this.data.begin + (i / 24) * (this.data.end - this.data.begin)));
    const reach = (points) => {
      const low = new V.Vector3(Infinity, Infinity, Infinity);
      const high = low.clone().negate();
      for (const point of points) { low.min(point); high.max(point); }
      return [low.add(high).multiplyScalar(0.5), high.distanceTo(low)];
    };
    const points = reach(all)[1] < 2.5 * reach(now)[1] ? all : now;
    const target = reach(points)[0];
    const from = new V.Vector3(...way).normalize();
    const right = new V.Vector3().crossVectors(this.up, from).normalize();
    const top = new V.Vector3().crossVectors(from, right);
    const tall = Math.tan(((this.camera.fov * Math.PI) / 180) * 0.5);
    const wide = tall * (this.camera.aspect || 1.6);
    let low = Infinity;
    let high = -Infinity;
    for (const point of points) {
      const height = this.scratch.subVectors(point, target).dot(top);
      low = Math.min(low, height);
      high = Math.max(high, height);
    }
    target.addScaledVector(top, 0.5 * (low + high));
    let distance = 0;
    for (const point of points) {
      const arm = this.scratch.subVectors(point, target);
      const near = arm.dot(from);
      distance = Math.max(distance, near + Math.abs(arm.dot(right)) / wide, near + Math.abs(arm.dot(top)) / tall);
    }
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(from, 1.12 * distance);
    this.controls.update();
    this.pose(this.time);
    this.dirty = true;
  }

  /** Return the corners of the boxes around all solids at some times. */
  corners(times) {
    const points = [];
    for (const t of times) {
      this.pose(t);
      for (const { group } of this.bodies) {
        group.updateMatrixWorld(true);
        for (const mesh of group.children) {
          if (!mesh.isMesh) continue;
          if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
          const box = mesh.geometry.boundingBox;
          for (let c = 0; c < 8; c++) {
            const p = new V.Vector3(c & 1 ? box.max.x : box.min.x, c & 2 ? box.max.y : box.min.y, c & 4 ? box.max.z : box.min.z);
            points.push(p.applyMatrix4(mesh.matrixWorld));
          }
        }
      }
      for (const { kind, a, b } of this.words.lines) {
        if (kind === 'catenary' || this.words.sea) continue;
        points.push(this.endOf(a, new V.Vector3()), this.endOf(b, new V.Vector3()));
      }
    }
    return points;
  }

  orbit(left, up, zoom) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(this.up, left);
    const side = new V.Vector3().crossVectors(this.up, offset).normalize();
    const tilted = offset.clone().applyAxisAngle(side, up);
    if (Math.abs(tilted.clone().normalize().dot(this.up)) < 0.995) offset.copy(tilted);
    this.camera.position.copy(this.controls.target).addScaledVector(offset, zoom);
    this.controls.update();
    this.dirty = true;
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  paint(dark) {
    if (this.sea) this.sea.paint(dark);
    if (this.floor) this.floor.material.uniforms.ink.value.set(dark ? '#9fb2c2' : '#4a5a68');
    if (this.bed) this.bed.material.color.set(dark ? '#6b604c' : '#b9a98a');
    this.sky.intensity = dark ? 1.15 : 1.6;
    this.sun.intensity = dark ? 1.9 : 2.2;
    for (const tether of this.tethers) tether.material.color.set(dark ? '#d8dde2' : '#3c464f');
    this.dirty = true;
  }
}

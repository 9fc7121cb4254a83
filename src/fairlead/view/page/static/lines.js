// Mooring lines as they hang, ropes and springs, from both ends and the recorded force at the first.

const LINE_PARTS = 48;

class Tether {
  constructor(word, origin) {
    this.word = word;
    this.origin = origin;
    const points = word.kind === 'straight' ? 2 : word.kind === 'coil' ? 150 : LINE_PARTS + 1;
    this.places = new Float32Array(3 * points);
    this.geometry = new V.BufferGeometry();
    this.geometry.setAttribute('position', new V.BufferAttribute(this.places, 3));
    this.material = new V.LineBasicMaterial({ color: '#888888' });
    this.line = new V.Line(this.geometry, this.material);
    this.line.frustumCulled = false;
    this.a = new V.Vector3();
    this.b = new V.Vector3();
    this.along = new V.Vector3();
    this.u = new V.Vector3();
    this.v = new V.Vector3();
  }

  /** Place the line between its ends; `force` is what it does to the body of the first. */
  update(ends, force, size) {
    ends(this.word.a, this.a);
    ends(this.word.b, this.b);
    if (this.word.kind === 'catenary') this.hang(force);
    else if (this.word.kind === 'coil') this.coil(size);
    else {
      this.a.toArray(this.places, 0);
      this.b.toArray(this.places, 3);
    }
    this.geometry.attributes.position.needsUpdate = true;
  }

  /** Elastic catenary from the fairlead down: tension (H, V - w s), on the bed where the vertical part is used up. */
  hang(force) {
    const { length, EA, weight, seabed } = this.word;
    const H = Math.max(Math.hypot(force.x, force.y), 1e-9);
    let V0 = -force.z;
    const out = [this.places, length / LINE_PARTS];
    const places = out[0];
    const ds = out[1];
    let x = 0;
    let z = 0;
    this.a.toArray(places, 0);
    const ex = force.x / H;
    const ey = force.y / H;
    const bed = this.b.z - this.a.z;
    const steps = 4;
    for (let i = 1; i <= LINE_PARTS; i++) {
      for (let n = 0; n < steps; n++) {
        const middle = V0 - 0.5 * weight * (ds / steps);
        const vertical = seabed && middle <= 0 ? 0 : middle;
        const T = Math.hypot(H, vertical);
        const stretched = (ds / steps) * (1 + T / EA);
        x += (stretched * H) / T;
        z -= (stretched * vertical) / T;
        V0 = middle - 0.5 * weight * (ds / steps);
      }
      if (seabed && z < bed) z = bed;
      places[3 * i] = this.a.x + ex * x;
      places[3 * i + 1] = this.a.y + ey * x;
      places[3 * i + 2] = this.a.z + z;
    }
    this.close(places);
  }

  /** Spread what is left at the far end along the line, so that it meets its anchor. */
  close(places) {
    const last = 3 * LINE_PARTS;
    const gap = [this.b.x - places[last], this.b.y - places[last + 1], this.b.z - places[last + 2]];
    for (let i = 1; i <= LINE_PARTS; i++) {
      for (let j = 0; j < 3; j++) places[3 * i + j] += (gap[j] * i) / LINE_PARTS;
    }
  }

  coil(size) {
    const { a, b, u, v } = this;
    this.along.subVectors(b, a);
    const length = this.along.length() || 1e-9;
    u.set(0, 0, 1);
    if (Math.abs(this.along.z) > 0.8 * length) u.set(1, 0, 0);
    v.crossVectors(this.along, u).normalize();
    u.crossVectors(v, this.along).normalize();
    const count = this.places.length / 3;
    const r = Math.min(0.025 * size, 0.2 * length);
    for (let i = 0; i < count; i++) {
      const s = i / (count - 1);
      const inside = s > 0.08 && s < 0.92 ? r : 0;
      const turn = 2 * Math.PI * 11 * s;
      const c = inside * Math.cos(turn);
      const d = inside * Math.sin(turn);
      this.places[3 * i] = a.x + s * this.along.x + c * u.x + d * v.x;
      this.places[3 * i + 1] = a.y + s * this.along.y + c * u.y + d * v.y;
      this.places[3 * i + 2] = a.z + s * this.along.z + c * u.z + d * v.z;
    }
  }
}

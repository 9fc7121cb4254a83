// The surface of the water: the model's own wave components, summed along each direction once per frame and laid over
// a patch around the hull by the graphics card.

const ALONG = 512; // places along a direction at which components are summed
const OVER = 180; // squares along a side of the patch

const WATER_VERTEX = `
  uniform highp sampler2D heights; uniform int fields; uniform vec4 ways[8]; uniform float start; uniform float step;
  uniform vec2 middle; varying vec3 place; varying vec3 normal3; varying float rise;
  float at(int row, float s) {
    float p = clamp((s - start) / step, 0.0, ${ALONG - 2}.0);
    int i = int(p);
    return mix(texelFetch(heights, ivec2(i, row), 0).r, texelFetch(heights, ivec2(i + 1, row), 0).r, p - float(i));
  }
  void main() {
    vec2 here = position.xy; float eta = 0.0; vec2 slope = vec2(0.0);
    for (int f = 0; f < 8; f++) {
      if (f >= fields) break;
      float s = dot(here, ways[f].xy);
      eta += at(f, s);
      slope += ways[f].xy * (at(f, s + step) - at(f, s - step)) / (2.0 * step);
    }
    rise = eta; normal3 = normalize(vec3(-slope, 1.0)); place = vec3(here, eta);
    gl_Position = projectionMatrix * modelViewMatrix * vec4(place, 1.0);
  }`;
const WATER_FRAGMENT = `
  uniform vec3 deep; uniform vec3 shallow; uniform vec3 sky; uniform vec3 sun; uniform vec3 eye; uniform float radius;
  uniform float tall; uniform float grid; varying vec3 place; varying vec3 normal3; varying float rise;
  void main() {
    vec3 n = normalize(normal3); vec3 toEye = normalize(eye - place);
    bool below = toEye.z < 0.0; if (below) n = -n;
    float fresnel = 0.04 + 0.6 * pow(1.0 - clamp(abs(dot(n, toEye)), 0.0, 1.0), 4.0);
    float light = clamp(dot(n, sun), 0.0, 1.0);
    vec3 tone = mix(deep, shallow, clamp(0.5 + 0.45 * rise / tall + 0.25 * (light - 0.6), 0.0, 1.0));
    tone = mix(tone, sky, below ? 0.1 : fresnel);
    float glint = pow(clamp(dot(reflect(-sun, n), toEye), 0.0, 1.0), 60.0);
    tone += vec3(0.55) * glint;
    vec2 cell = abs(fract(place.xy / grid - 0.5) - 0.5) / fwidth(place.xy / grid);
    float mark = 1.0 - min(min(cell.x, cell.y), 1.0);
    tone = mix(tone, sky, 0.16 * mark);
    float edge = 1.0 - smoothstep(0.72, 1.0, length(place.xy) / radius);
    gl_FragColor = vec4(tone, (below ? 0.35 : 0.74) * edge);
  }`;

class Water {
  constructor(sea, origin, radius) {
    this.sea = sea;
    this.origin = origin;
    this.radius = radius;
    this.step = (2.9 * radius) / (ALONG - 1);
    this.start = -1.45 * radius;
    const rows = Math.max(sea.fields.length, 1);
    this.values = new Float32Array(ALONG * rows);
    this.texture = new V.DataTexture(this.values, ALONG, rows, V.RedFormat, V.FloatType);
    this.texture.minFilter = this.texture.magFilter = V.NearestFilter;
    const ways = new Float32Array(32);
    sea.fields.slice(0, 8).forEach((field, f) => ways.set([field.cos, field.sin], 4 * f));
    const variance = sea.fields.reduce((sum, f) => sum + f.amplitude.reduce((a, b) => a + b * b, 0), 0);
    this.tall = Math.max(1.6 * Math.sqrt(variance), 0.3);
    const grid = 10 ** Math.floor(Math.log10(radius / 4));
    this.material = new V.ShaderMaterial({
      vertexShader: WATER_VERTEX,
      fragmentShader: WATER_FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: V.DoubleSide,
      uniforms: {
        heights: { value: this.texture }, fields: { value: sea.fields.length }, ways: { value: ways },
        start: { value: this.start }, step: { value: this.step }, middle: { value: new V.Vector2() },
        deep: { value: new V.Color() }, shallow: { value: new V.Color() }, sky: { value: new V.Color() },
        sun: { value: new V.Vector3(-0.45, -0.35, 0.82).normalize() }, eye: { value: new V.Vector3() },
        radius: { value: radius }, tall: { value: this.tall }, grid: { value: grid },
      },
    });
    this.mesh = new V.Mesh(new V.PlaneGeometry(2 * radius, 2 * radius, OVER, OVER), this.material);
    this.mesh.position.set(0, 0, -origin[2]);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
    // Components as turning arms along a direction: one complex product per place instead of a cosine.
    this.arms = sea.fields.map((field) => ({
      count: field.amplitude.length,
      amplitude: Float64Array.from(field.amplitude), omega: Float64Array.from(field.omega),
      k: Float64Array.from(field.k), phase: Float64Array.from(field.phase),
      cosStep: Float64Array.from(field.k, (k) => Math.cos(k * this.step)),
      sinStep: Float64Array.from(field.k, (k) => Math.sin(k * this.step)),
      shift: field.cos * origin[0] + field.sin * origin[1],
    }));
    this.spread = ALONG;
  }

  paint(dark) {
    const set = (name, value) => this.material.uniforms[name].value.set(value);
    set('deep', dark ? '#0b2b3d' : '#1f5f83');
    set('shallow', dark ? '#1d5a72' : '#6fb0c8');
    set('sky', dark ? '#48657a' : '#e6f1f6');
  }

  /** Sum the components at time t for all places along each direction. */
  update(t, eye) {
    const ramp = raised(t, this.sea.ramp);
    this.arms.forEach((arm, f) => {
      const base = f * ALONG;
      this.values.fill(0, base, base + ALONG);
      for (let j = 0; j < arm.count; j++) {
        const psi = arm.omega[j] * t - arm.k[j] * (this.start + arm.shift) + arm.phase[j];
        let re = ramp * arm.amplitude[j] * Math.cos(psi);
        let im = ramp * arm.amplitude[j] * Math.sin(psi);
        const c = arm.cosStep[j];
        const s = arm.sinStep[j];
        for (let i = 0; i < ALONG; i++) {
          this.values[base + i] += re;
          const next = re * c + im * s;
          im = im * c - re * s;
          re = next;
        }
      }
    });
    this.texture.needsUpdate = true;
    this.material.uniforms.eye.value.copy(eye);
    this.material.uniforms.eye.value.z -= this.mesh.position.z;
  }

  /** Return the elevation at a place of the scene, from the sums of the last update. */
  elevation(x, y) {
    return this.sea.fields.reduce((sum, field, f) => {
      const p = Math.min(Math.max((field.cos * x + field.sin * y - this.start) / this.step, 0), ALONG - 2);
      const i = Math.floor(p);
      const at = f * ALONG + i;
      return sum + this.values[at] + (p - i) * (this.values[at + 1] - this.values[at]);
    }, 0);
  }
}

/** Return the part of the waves that is there at a time of a ramp: s^3 (10 - 15 s + 6 s^2). */
function raised(t, length) {
  if (!(length > 0) || t >= length) return 1;
  const s = Math.max(t / length, 0);
  return s * s * s * (10 + s * (6 * s - 15));
}

// The parts of three.js and uPlot that pages use; esbuild leaves out the rest.
export {
  BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, DataTexture, DirectionalLight, DoubleSide,
  FloatType, Group, HemisphereLight, Line, LineBasicMaterial, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial,
  NearestFilter, NotEqualStencilFunc, PerspectiveCamera, PlaneGeometry, Quaternion, Raycaster, RedFormat,
  ReplaceStencilOp, Scene, ShaderMaterial, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
export { default as uPlot } from "uplot";

/** Types for the functions used here. The package has types only for the bare WebAssembly module. */
declare module 'libheif-js/wasm-bundle.js' {
  interface HeifImage {
    is_primary(): boolean;
    get_width(): number;
    get_height(): number;
    display(
      target: { data: Uint8ClampedArray; width: number; height: number },
      done: (result: { data: Uint8ClampedArray } | null) => void,
    ): void;
  }
  const libheif: { HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] } };
  export default libheif;
}

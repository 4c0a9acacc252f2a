// The bundler takes the sheet that main.tsx names and writes it beside the script; to the compiler it is empty.
declare module '*.css' {
  export {};
}

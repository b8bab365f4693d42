// The package's own types stand where TypeScript does not look for them.
declare module 'ical.js' {
  export { default } from '../../../node_modules/ical.js/dist/types/module.d.ts'
}

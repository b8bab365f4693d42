import { measureHandedIn } from './handed-in.ts'
import { measureHeaviestRequests } from './heaviest.ts'

/** Measures how long other requests wait during the heaviest ones. */
export async function run(): Promise<void> {
  await measureHeaviestRequests()
  await measureHandedIn()
}

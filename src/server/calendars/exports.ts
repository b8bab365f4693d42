import type { Admin } from '../../domain/access.ts'
import type { ExportChange, ExportInput } from '../../domain/calendar-feed.ts'
import type { Deps } from '../kernel/deps.ts'
import type { ExportView } from './presenter.ts'
export async function createExport(_deps: Deps, _actor: Admin, _input: ExportInput): Promise<ExportView> {
  throw new Error('not built yet')
}
export async function editExport(
  _deps: Deps,
  _actor: Admin,
  _id: string,
  _change: ExportChange,
): Promise<ExportView> {
  throw new Error('not built yet')
}
export async function rotateExport(
  _deps: Deps,
  _actor: Admin,
  _id: string,
  _keepOld: boolean,
): Promise<ExportView> {
  throw new Error('not built yet')
}
export async function removeExport(_deps: Deps, _actor: Admin, _id: string): Promise<{ message: string }> {
  throw new Error('not built yet')
}

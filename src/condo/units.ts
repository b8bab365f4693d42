import { dirname } from 'node:path'
import type { Machine } from './machine.ts'
import { releaseFolder } from './site.ts'

export const units = ['condo@.service', 'condo-watch@.service', 'condo-watch@.timer']

/** Writes the units of a release; what was added with `systemctl edit` stays. */
export function writeUnits(machine: Machine, version: string): void {
  for (const file of units)
    ship(
      machine,
      `/etc/systemd/system/${file}`,
      machine.read(`${releaseFolder(version)}/deploy/systemd/${file}`) ?? '',
    )
  machine.must('systemctl', ['daemon-reload'])
}

/**
 * Writes a file of a release. One that the owner changed stays until a release brings a new one, and is then kept beside
 * as `.yours` (INST-39).
 * @returns whether it was written
 */
export function ship(machine: Machine, path: string, wanted: string): boolean {
  const copy = path.replace('/etc/', '/var/lib/condo/.journal/shipped/etc/')
  const present = machine.read(path)
  const shipped = machine.read(copy)
  const isOwners = present !== undefined && present !== wanted && present !== shipped
  if (isOwners && wanted === shipped) return false
  if (isOwners) {
    machine.write(`${path}.yours`, present)
    machine.say(`You had changed ${path}: your file is ${path}.yours`)
  }
  // First, so that after a cut the file does not look like the owner's.
  if (shipped !== wanted) {
    machine.makeFolder(dirname(copy), 0o700)
    machine.write(copy, wanted)
  }
  if (present !== wanted) machine.write(path, wanted)
  return present !== wanted
}

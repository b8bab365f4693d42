import { dirname } from 'node:path'
import type { Machine } from './machine.ts'
import { releaseFolder } from './site.ts'

export const units = ['condo@.service', 'condo-watch@.service', 'condo-watch@.timer']

/** Writes the units of a release. One that the owner changed is kept beside as `.yours`; `systemctl edit` stays. */
export function writeUnits(machine: Machine, version: string): void {
  for (const file of units) {
    const path = `/etc/systemd/system/${file}`
    const wanted = machine.read(`${releaseFolder(version)}/deploy/systemd/${file}`) ?? ''
    keepChanged(machine, path, wanted)
    machine.write(path, wanted)
  }
  machine.must('systemctl', ['daemon-reload'])
}

/** Keeps a file that is neither what this release writes nor what the last one wrote. */
export function keepChanged(machine: Machine, path: string, wanted: string): void {
  const present = machine.read(path)
  const copy = path.replace('/etc/', '/var/lib/condo/.journal/shipped/etc/')
  if (present !== undefined && present !== wanted && present !== machine.read(copy)) {
    machine.write(`${path}.yours`, present)
    machine.say(`You had changed ${path}: your file is ${path}.yours`)
  }
  machine.makeFolder(dirname(copy), 0o700)
  machine.write(copy, wanted)
}

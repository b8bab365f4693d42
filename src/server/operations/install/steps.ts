import type { z } from 'zod'
import type { Db, Tx } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import {
  type condoForm,
  type InstallStep,
  installSteps,
  neededSteps,
  placeSection,
} from '../../../domain/content/install.ts'
import type { OpeningLine } from '../../../domain/content/opening.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import type { Deps } from '../../kernel/deps.ts'
import { readPublishedContent } from '../../site/content/published.ts'
import { publishIdentity } from '../../site/editor/publish.ts'
import { readSection, saveSectionIn } from '../../site/settings.ts'
import { getOpening } from '../opening/queries.ts'
import { installPhase, readLeft, writeLeft } from './phase.ts'
import type { InstallView } from './views.ts'

/** The lines of the card 'Open your site' that say the same (OPEN-08). */
const lineOf: Partial<Record<InstallStep, OpeningLine>> = {
  secondStep: 'account',
  condo: 'contact',
  mail: 'mail',
  cards: 'payments',
}

/**
 * The steps of an installation with what is stored already, worked out from the data.
 * @throws AppError not_found where nothing is installed in the browser, and once it is over
 */
export function getInstall(deps: Deps, db: Db | Tx = deps.db): InstallView {
  if (installPhase(deps) !== 'steps') throw new AppError('not_found', 'Not found')
  const { lines } = getOpening(deps, db)
  const left = readLeft(db)
  const stateOf = (step: InstallStep) => {
    const line = lines.find(({ key }) => key === lineOf[step])?.state
    if (step === 'account' || line === 'done') return 'done' as const
    return left.includes(step) || line === 'declined' ? ('later' as const) : ('open' as const)
  }
  const place = readSection(db, placeSection)
  return {
    steps: installSteps.map(key => ({ key, state: stateOf(key) })),
    condo: readPublishedContent(db, deps.config).content.identity,
    timeZone: place.version > 0 ? place.body.timeZone : null,
    fixedTimeZone: deps.config.install?.timeZone ?? null,
  }
}

/**
 * Publishes who rents the condo out as a version of the content, and saves its time zone.
 * @throws AppError not_found as `getInstall`; forbidden without a step-up
 */
export function saveCondo(
  deps: Deps,
  actor: Admin,
  { timeZone, ...identity }: z.output<typeof condoForm>,
): Promise<InstallView> {
  return deps.write(tx => {
    getInstall(deps, tx)
    requireStepUp(deps, tx, actor)
    publishIdentity(deps, tx, actor, identity)
    const { body, version } = readSection(tx, placeSection)
    if (version === 0 || body.timeZone !== timeZone)
      saveSectionIn(deps, tx, actor, placeSection, { version, body: { timeZone } })
    return getInstall(deps, tx)
  })
}

/**
 * Stores that the owner went on from a step; leaving the last one ends the installation.
 * @throws AppError not_found as `getInstall`; conflict for a step that cannot wait, and for the last one before those
 */
export function leaveStep(deps: Deps, _actor: Admin, { key }: { key: InstallStep }): Promise<InstallView> {
  return deps.write(tx => {
    const install = getInstall(deps, tx)
    const needed = install.steps.filter(step => neededSteps.includes(step.key) && step.state !== 'done')
    if (needed.some(step => step.key === key || key === 'done'))
      throw new AppError('conflict', 'This step cannot wait.')
    writeLeft(tx, [...new Set([...readLeft(tx), key])])
    return {
      ...install,
      steps: install.steps.map(step =>
        step.key === key && step.state === 'open' ? { key, state: 'later' } : step,
      ),
    }
  })
}

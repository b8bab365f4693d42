import { z } from 'zod'
import { arrivalSectionNames } from '../../domain/arrival/arrival.ts'
import { typedCode } from '../../domain/arrival/door-code.ts'
import { recordId, withApplication, withToken } from '../../domain/common/record-ids.ts'
import { wireMoment } from '../../domain/common/wire.ts'
import {
  adminProcedure,
  checked,
  limitedByAddress,
  publicProcedure,
  router,
  sessionProcedure,
} from '../kernel/trpc.ts'
import { arrivalSectionView, arrivalVersionView, presentSection, sectionVersions } from './arrival.ts'
import { codeTasksNow, codeTaskView, markCode } from './code-tasks.ts'
import { changeCode, lockView } from './codes.ts'
import { holdForm, holdGate } from './gate.ts'
import { addLink, guestForm, guestView, noteUse, removeLink } from './links.ts'
import { addLock, changeLock, lockChange, newLock, removeLock } from './locks.ts'
import { saveArrivalSection, sectionSave } from './save-section.ts'
import { codeView, showCode, showOwnerCode, showWifi, wifiView } from './show.ts'
import {
  adminStayView,
  arrivalView,
  openedStayView,
  ownerStay,
  previewForm,
  previewStay,
  readArrival,
  stayByLink,
  stayView,
  tenantStay,
} from './views.ts'

const sectionName = z.enum(arrivalSectionNames, 'There is no such part.')
const ofLock = z.object({ lockId: recordId })
const ofCode = z.object({ codeId: recordId })
const codeAnswer = z.strictObject({ code: codeView })
const wifiAnswer = z.strictObject({ wifi: wifiView })
const lockAnswer = z.strictObject({ lock: lockView })
const tasksAnswer = z.strictObject({ tasks: z.array(codeTaskView) })

export const staysRouter = router({
  get: sessionProcedure
    .meta({ summary: 'The stay page: no code, whatever the state', rest: ['GET /api/stay/{applicationId}'] })
    .input(withApplication)
    .output(checked(z.strictObject({ stay: stayView.nullable() })))
    .query(({ ctx, input }) => ({ stay: tenantStay(ctx.deps, ctx.actor, input.applicationId) })),
  showCode: sessionProcedure
    .meta({
      summary: 'Show the tenant the code of a lock while the stay is open',
      rest: ['POST /api/stay/{applicationId}/code'],
      ownLimit: true,
      stepUp: 'never',
    })
    .input(withApplication.extend(ofLock.shape))
    .output(checked(codeAnswer))
    .mutation(async ({ ctx, input }) => ({
      code: await showCode(ctx.deps, { actor: ctx.actor, ...input }, input.lockId),
    })),
  showWifi: sessionProcedure
    .meta({
      summary: 'Show the tenant the Wi-Fi with its password and a QR picture',
      rest: ['POST /api/stay/{applicationId}/wifi'],
      ownLimit: true,
      stepUp: 'never',
    })
    .input(withApplication)
    .output(checked(wifiAnswer))
    .mutation(async ({ ctx, input }) => ({ wifi: await showWifi(ctx.deps, { actor: ctx.actor, ...input }) })),
  addLink: sessionProcedure
    .meta({
      summary: 'A link for somebody of the group; its address is answered once',
      rest: ['POST /api/stay/{applicationId}/guest'],
      status: 201,
      stepUp: 'never',
    })
    .input(withApplication.extend(guestForm.shape))
    .output(checked(z.strictObject({ guest: guestView, url: z.string() })))
    .mutation(({ ctx, input: { applicationId, ...form } }) =>
      addLink(ctx.deps, ctx.actor, applicationId, form),
    ),
  removeLink: sessionProcedure
    .meta({
      summary: 'End a guest’s link at once',
      stepUp: 'never',
      rest: ['DELETE /api/stay/{applicationId}/link/{linkId}'],
    })
    .input(withApplication.extend({ linkId: recordId }))
    .output(checked(z.strictObject({ message: z.string() })))
    .mutation(({ ctx, input }) => removeLink(ctx.deps, ctx.actor, input.applicationId, input.linkId)),
  open: publicProcedure
    .meta({ summary: 'The stay page of a guest’s link', rest: ['POST /api/stay/open'] })
    .input(withToken)
    .use(limitedByAddress('guestLinkByAddress'))
    .output(checked(openedStayView))
    .mutation(async ({ ctx: { deps }, input: { token } }) => {
      await noteUse(deps, token)
      return stayByLink(deps, token)
    }),
  openCode: publicProcedure
    .meta({ summary: 'Show a guest the code of a lock', rest: ['POST /api/stay/open/code'] })
    .input(withToken.extend(ofLock.shape))
    .use(limitedByAddress('guestLinkByAddress'))
    .output(checked(codeAnswer))
    .mutation(async ({ ctx: { actor, deps }, input: { lockId, token } }) => ({
      code: await showCode(deps, { actor, token }, lockId),
    })),
  openWifi: publicProcedure
    .meta({ summary: 'Show a guest the Wi-Fi', rest: ['POST /api/stay/open/wifi'] })
    .input(withToken)
    .use(limitedByAddress('guestLinkByAddress'))
    .output(checked(wifiAnswer))
    .mutation(async ({ ctx: { actor, deps }, input: { token } }) => ({
      wifi: await showWifi(deps, { actor, token }),
    })),

  adminGet: adminProcedure
    .meta({
      summary: 'A stay with its gate, its locks, and who saw a code when',
      rest: ['GET /api/stay/admin/{applicationId}'],
    })
    .input(withApplication)
    .output(checked(adminStayView))
    .query(({ ctx, input }) => ownerStay(ctx.deps, ctx.actor, input.applicationId)),
  hold: adminProcedure
    .meta({
      summary: 'Open or close a stay, or go back to the rule',
      rest: ['PUT /api/stay/admin/{applicationId}/gate'],
      stepUp: 'sometimes',
    })
    .input(withApplication.extend(holdForm.shape))
    .output(checked(adminStayView))
    .mutation(async ({ ctx, input: { applicationId, ...form } }) => {
      await holdGate(ctx.deps, ctx.actor, applicationId, form)
      return ownerStay(ctx.deps, ctx.actor, applicationId)
    }),
  changeCode: adminProcedure
    .meta({
      summary: 'Another code of a stay, drawn unless typed; another standing code, which counts as set',
      rest: ['POST /api/stay/admin/{applicationId}/code', 'POST /api/stay/admin/locks/{lockId}/code'],
      status: 201,
      stepUp: 'always',
    })
    .input(ofLock.extend({ applicationId: recordId.optional(), code: typedCode.optional() }))
    .output(checked(lockAnswer))
    .mutation(async ({ ctx, input }) => ({ lock: await changeCode(ctx.deps, ctx.actor, input) })),

  addLock: adminProcedure
    .meta({
      summary: 'Add a lock; a standing one needs its code',
      rest: ['POST /api/stay/admin/locks'],
      status: 201,
      stepUp: 'always',
    })
    .input(newLock)
    .output(checked(lockAnswer))
    .mutation(async ({ ctx, input }) => ({ lock: await addLock(ctx.deps, ctx.actor, input) })),
  changeLock: adminProcedure
    .meta({
      summary: 'Change the name, digits, hint or place of a lock',
      rest: ['PUT /api/stay/admin/locks/{lockId}'],
      stepUp: 'always',
    })
    .input(ofLock.extend(lockChange.shape))
    .output(checked(lockAnswer))
    .mutation(async ({ ctx, input: { lockId, ...change } }) => ({
      lock: await changeLock(ctx.deps, ctx.actor, lockId, change),
    })),
  removeLock: adminProcedure
    .meta({
      summary: 'Remove a lock; its codes are retired',
      rest: ['DELETE /api/stay/admin/locks/{lockId}'],
      stepUp: 'always',
    })
    .input(ofLock)
    .output(checked(z.strictObject({ message: z.string() })))
    .mutation(({ ctx, input }) => removeLock(ctx.deps, ctx.actor, input.lockId)),

  arrival: adminProcedure
    .meta({
      summary: 'What guests read on arrival, and the locks; no secret',
      rest: ['GET /api/stay/admin/arrival'],
    })
    .output(checked(arrivalView))
    .query(({ ctx }) => readArrival(ctx.deps)),
  saveSection: adminProcedure
    .meta({
      summary: 'Save a whole section; a missing password is kept, null takes it away',
      rest: ['PUT /api/stay/admin/arrival/{section}'],
      stepUp: 'always',
    })
    .input(sectionSave)
    .output(checked(z.strictObject({ section: arrivalSectionView })))
    .mutation(async ({ ctx, input }) => ({
      section: await saveArrivalSection(ctx.deps, ctx.actor, input, presentSection),
    })),
  versions: adminProcedure
    .meta({
      summary: 'The versions of a section, newest first',
      rest: ['GET /api/stay/admin/arrival/{section}/versions'],
    })
    .input(z.object({ section: sectionName }))
    .output(checked(z.strictObject({ versions: z.array(arrivalVersionView) })))
    .query(({ ctx, input }) => ({ versions: sectionVersions(ctx.deps.db, input.section) })),
  preview: adminProcedure
    .meta({
      summary: 'The page of a guest at a moment, without secrets; changes nothing',
      rest: ['POST /api/stay/admin/preview'],
      stepUp: 'never',
    })
    .input(previewForm)
    .output(checked(z.strictObject({ stay: stayView })))
    .mutation(({ ctx, input }) => ({ stay: previewStay(ctx.deps, ctx.actor, input) })),
  codes: adminProcedure
    .meta({
      summary: 'The codes to set at a lock and to take off, by time',
      rest: ['GET /api/stay/admin/codes'],
    })
    .output(checked(tasksAnswer.extend({ now: wireMoment })))
    .query(({ ctx }) => codeTasksNow(ctx.deps)),
  showOwnCode: adminProcedure
    .meta({
      summary: 'Show the owner a code',
      rest: ['POST /api/stay/admin/codes/{codeId}/show'],
      stepUp: 'always',
    })
    .input(ofCode)
    .output(checked(codeAnswer))
    .mutation(async ({ ctx, input }) => ({ code: await showOwnerCode(ctx.deps, ctx.actor, input.codeId) })),
  markSet: adminProcedure
    .meta({
      summary: 'The code is set at its lock',
      rest: ['POST /api/stay/admin/codes/{codeId}/set'],
      stepUp: 'never',
    })
    .input(ofCode)
    .output(checked(tasksAnswer))
    .mutation(async ({ ctx, input }) => ({
      tasks: await markCode(ctx.deps, ctx.actor, input, 'set'),
    })),
  markRemoved: adminProcedure
    .meta({
      summary: 'The code is off its lock; one for everybody stays, and this guest’s notice is settled',
      rest: ['POST /api/stay/admin/codes/{codeId}/removed'],
      stepUp: 'never',
    })
    .input(ofCode.extend({ applicationId: recordId.optional() }))
    .output(checked(tasksAnswer))
    .mutation(async ({ ctx, input }) => ({
      tasks: await markCode(ctx.deps, ctx.actor, input, 'removed'),
    })),
})

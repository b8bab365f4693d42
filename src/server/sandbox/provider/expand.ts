import { ApiError } from './api-error.ts'
import { sessionDetails } from './checkout.ts'
import type { Box } from './events.ts'

type Plain = { [name: string]: unknown }

/** Replaces ids by their objects along each path (`payment_intent.latest_charge`, in lists `data.…`). */
export function expandAll(box: Box, answer: object, paths: readonly string[]): object {
  const copy = structuredClone(answer)
  for (const path of paths) expandPath(box, copy as Plain, path.split('.'), path)
  return copy
}

function expandPath(box: Box, target: Plain, [name, ...rest]: string[], path: string): void {
  if (name === undefined) return
  const value = target[name] ?? hiddenList(box, target, name)
  if (value === undefined) throw new ApiError(`This property cannot be expanded (${path}).`)
  const expanded = typeof value === 'string' ? box.store.findAny(value) : value
  if (expanded === undefined) throw new ApiError(`This property cannot be expanded (${path}).`)
  target[name] = expanded
  for (const next of Array.isArray(expanded) ? expanded : [expanded]) {
    if (typeof next === 'object' && next !== null) expandPath(box, next as Plain, rest, path)
  }
}

/** The lists that an object carries only when asked for. */
function hiddenList(box: Box, target: Plain, name: string): unknown {
  const id = String(target.id)
  if (target.object === 'checkout.session' && name === 'line_items') {
    return listObject(`/v1/checkout/sessions/${id}/line_items`, sessionDetails(box, id).lineItems, false)
  }
  if (target.object === 'charge' && name === 'refunds') {
    const { data, hasMore } = box.store.list('refund', { charge: id }, { limit: 10 })
    return listObject(`/v1/charges/${id}/refunds`, data, hasMore)
  }
  return target[name]
}

export function listObject(url: string, data: readonly object[], hasMore: boolean) {
  return { object: 'list', data, has_more: hasMore, url }
}

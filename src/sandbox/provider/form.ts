export type FormValue = string | FormValue[] | { [name: string]: FormValue }
type Branch = { [name: string]: string | Branch }

/**
 * Decodes the provider's form encoding, `a[b][0][c]=v`, into objects and arrays; `a[]=v` appends.
 * The objects have no prototype, so that `__proto__` is a normal field.
 */
export function decodeForm(text: string): { [name: string]: FormValue } {
  const root: Branch = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    const last = path.pop() ?? ''
    let branch = root
    for (const key of path) {
      const next = branch[key]
      branch = typeof next === 'object' ? next : addBranch(branch, key)
    }
    branch[last === '' ? String(Object.keys(branch).length) : last] = value
  }
  return mapValues(root)
}

function addBranch(parent: Branch, key: string): Branch {
  const branch: Branch = Object.create(null)
  parent[key] = branch
  return branch
}

function mapValues(branch: Branch): { [name: string]: FormValue } {
  const result: { [name: string]: FormValue } = Object.create(null)
  for (const [key, value] of Object.entries(branch)) {
    result[key] = typeof value === 'string' ? value : toValue(value)
  }
  return result
}

function toValue(branch: Branch): FormValue {
  const values = mapValues(branch)
  return Object.keys(values).every(key => /^\d+$/.test(key)) ? Object.values(values) : values
}

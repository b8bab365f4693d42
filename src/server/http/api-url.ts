export const isProcedureUrl = (url: string) => /^\/trpc([/?]|$)/.test(url)
export const isApiUrl = (url: string) => isProcedureUrl(url) || url.startsWith('/api/') || url === '/api'

/** Text that cannot steer a terminal: of the control characters only line breaks stay. */
export const forTerminal = (text: string): string => text.replaceAll(/[^\P{Cc}\n]/gu, '')

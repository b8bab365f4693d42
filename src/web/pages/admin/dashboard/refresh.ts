/** How often the table and the cards look for news while the screen is open. */
export const refreshMs = 30_000

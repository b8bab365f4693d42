export const contactPage = {
  title: 'Contact Us',
  text: 'Questions about the condo, your dates or an application? Write to us. The owner answers personally.',
  directTitle: 'Reach the owner directly',
  directText: 'Prefer e-mail or the phone? That works just as well.',
}

export const TERMS_TEXT = `These terms apply to the use of this website. The services of {site} for its customers are agreed with each of them separately.

## The site and its texts

- We write with care, but cannot promise that everything here is complete, correct and up to date, or that the site is always available.
- Texts, pictures and films belong to {site} or to those who let us use them. You may link to every page, and quote with the source.
- We are not responsible for other websites that we link to.

## The assistant

The assistant on this site is a program. It answers from the content published here and can be wrong. Its answers are neither an offer nor advice: a price, a date or a promise is binding only if a person at {site} has confirmed it in writing.

## Messages and calls

Please give an address at which we can reach you. A call that you book is free and without obligation. You can move or cancel it with the link in its confirmation.

## Accounts

- Give true details, keep your password secret, and tell us if someone else knows it.
- Accounts of team members are active once we have approved them.
- You can delete your account at any time. We may close accounts that are used against these terms.

## Prohibited use

You must not break into the site or its accounts, overload it, collect people's addresses from it, distribute unlawful content through it, or impersonate other people.

## Liability

Our liability is unlimited where the law requires it, in particular for intent, for gross negligence and for personal injury. Otherwise we are not liable for damage caused by using this website, which is free of charge.

## Law and changes

The law of the country in which {site} is registered applies, unless the law of your own country protects you better as a consumer. We may change these terms. The version on this page applies. Send questions to [{email}](mailto:{email}).`;

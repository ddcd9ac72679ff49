export const TERMS_TEXT = `These terms hold for the use of this website. What {site} does for its customers is agreed with each of them separately.

## The site and its texts

- We write with care, but cannot promise that everything here is complete, correct and up to date, or that the site is always there.
- Texts, pictures and films belong to {site} or to those who let us use them. You may link to every page, and quote with the source.
- We are not responsible for the pages of others that we link to.

## The assistant

The assistant on this site is a program. It answers from what is published here and can be wrong. What it says is no offer and no advice: a price, a date or a promise holds only when a person of {site} has confirmed it in writing.

## Messages and calls

Please give an address at which we reach you. A call that you book is free, binds you to nothing, and can be moved or cancelled by the link in its confirmation.

## Accounts

- Give true details, keep your password to yourself, and tell us if somebody else has it.
- Accounts of team members are open once we have approved them.
- You can delete your account at any time. We may close one that is used against these terms.

## What is not allowed

To break into the site or its accounts, to overload it, to collect the addresses of people from it, to spread what is unlawful through it, or to pretend to be somebody else.

## Liability

We are liable without limit where the law says so, above all for intent, for gross negligence and for injury. Beyond that we are not liable for damage that comes of using a website that costs nothing.

## Law and changes

The law of the country in which {site} is registered applies, as far as the law of your own country does not protect you better as a consumer. We may change these terms; the version on this page holds. Questions go to [{email}](mailto:{email}).`;

export const COOKIES_TEXT = `The public pages of {site} set no cookies. A few things are kept in the storage of your browser instead, because a button or a form would not work without them. They are sent to nobody but this site, follow you nowhere, and need no consent.

## On every page

| Name | What it is for | How long |
|---|---|---|
| \`theme-mode\` | light, dark, or as your system has it | until you clear it |
| \`scroll-positions\` | leads you back to where you were on a page | until the tab is closed |
| \`chatbot_conversation_id\` | finds your conversation with the assistant again | until you clear the chat |
| \`chatbot_declined\` | keeps an offer of the assistant away that you declined | until you decline one in another conversation |
| \`preview-access\` | remembers the passcode of a site that is not open yet | 30 days |
| \`video-to-play\` | remembers that you pressed play while the page loads anew | some seconds |

## When you sign in

| Name | What it is for | How long |
|---|---|---|
| \`sb-…-auth-token\` | keeps you signed in | until you sign out |
| \`dashboard-path\` | leads to your dashboard | until you sign out |
| \`unsaved-work\` | what you wrote in a form and did not save | until you save or discard it |
| \`sidebar_state\` (a cookie) | whether the sidebar of the admin area is open | 7 days |
| a cookie of the sign-in service | leads you back after signing in with another company | the sign-in |

## When you open a preview

A link that somebody gave you to see this site before it is published sets one cookie, \`preview\`, for the pages of that preview. It goes soon after the link has ended.

## Of others

We load no advertising and no analytics. A video of YouTube or Vimeo is asked for only when you press play, and a page on which calls are booked may be one of another service. Both may then keep something in your browser by their own rules.

## Getting rid of it

Your browser deletes all of this in its settings, under the data of websites. The site works without it and asks you again where it has to. What we keep on our side is on the page about [privacy](/privacy).`;

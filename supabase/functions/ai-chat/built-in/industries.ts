/** Words that identify an industry in a question or a project, and names of tools. */
import { wordsOf } from './words.ts';

/** Words for one industry, in the supported languages. */
export type Industry = ReadonlySet<string>;

export const INDUSTRIES: readonly Industry[] = [
  'hotel hotels hotell hoteller hotellet hospitality resort tourism travel reiseliv restaurant restaurants restauranter guests',
  'logistics logistikk freight shipping transport transportation trucking haulage warehouse warehousing spedisjon cargo carrier lager supply',
  'maritime marine boat boats ship ships vessel vessels shipyard offshore fishing skip båt båter sjøfart',
  'software saas tech startups programvare developers apps fintech programmer',
  'manufacturing manufacturer manufacturers machine machines machinery maker workshop workshops factory factories industrial produksjon maskin maskiner industri',
  'health healthcare medical dentist dentists dental clinic clinics hospital hospitals doctor doctors pharma medtech helse lege tannlege tannleger klinikk',
  'bank banks banking finance financial insurance insurer accounting accountants bank banker forsikring regnskap finans',
  'law lawyer lawyers attorney attorneys advokat advokater advokatfirma',
  'retail retailer ecommerce shop shops store stores webshop nettbutikk nettbutikker butikk butikker butikker handel',
  'estate property realtor construction builder builders contractor contractors architects eiendom eiendomsmegler bygg',
  'education school schools university universities college courses utdanning skole skoler',
  'recruiting recruitment recruiters staffing headhunters rekruttering bemanning',
  'energy solar wind power utilities oil energi strøm sol olje',
  'public municipality municipalities government kommune kommuner offentlig kommuner',
  'nonprofit nonprofits charity charities ngo ideell ideelle',
].map((words) => new Set(wordsOf(words)));

/** Names of tools. */
export const TOOLS = new Map(
  'LinkedIn Instagram Facebook TikTok HubSpot Salesforce Pipedrive Shopify WordPress Slack Teams Outlook Gmail Zapier n8n Notion Airtable Intercom Zendesk Mailchimp Calendly SuperOffice Dynamics SAP Odoo Apollo Lemlist WhatsApp Messenger Wix Squarespace Webflow Magento WooCommerce Zoho Freshdesk Klaviyo Office365'
    .split(' ')
    .map((name) => [name.toLowerCase(), name] as const),
);

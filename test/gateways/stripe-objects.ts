import type Stripe from 'stripe';

/** Records of the stand-in, with every member that the types of the SDK demand. */

export interface SessionParams {
  reference: string;
  amount: number;
  currency: string;
  email: string | null;
  metadata: Record<string, string>;
  intentMetadata: Record<string, string>;
  description: string | null;
  locale: Stripe.Checkout.Session.Locale | null;
  expiresAt: number;
  successUrl: string;
  cancelUrl: string | null;
}

interface Identity {
  id: string;
  created: number;
}

export const newSession = ({ id, created }: Identity, sent: SessionParams, url: string): Stripe.Checkout.Session => ({
  id,
  object: 'checkout.session',
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  amount_subtotal: sent.amount,
  amount_total: sent.amount,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  cancel_url: sent.cancelUrl,
  client_reference_id: sent.reference,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  created,
  currency: sent.currency,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer: null,
  customer_account: null,
  customer_creation: 'if_required',
  customer_details: null,
  customer_email: sent.email,
  discounts: [],
  expires_at: sent.expiresAt,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  locale: sent.locale,
  managed_payments: null,
  metadata: sent.metadata,
  mode: 'payment',
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'if_required',
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_method_types: ['card', 'sepa_debit'],
  payment_status: 'unpaid',
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: 'open',
  submit_type: null,
  subscription: null,
  success_url: sent.successUrl,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted_page',
  url,
  wallet_options: null,
});

export const newIntent = (
  { id, created }: Identity,
  { amount, currency, intentMetadata, description }: SessionParams,
): Stripe.PaymentIntent => ({
  id,
  object: 'payment_intent',
  allowed_payment_method_types: null,
  amount,
  amount_capturable: 0,
  amount_received: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: 'automatic_async',
  client_secret: `${id}_secret_stand-in`,
  confirmation_method: 'automatic',
  created,
  currency,
  customer: null,
  customer_account: null,
  description,
  excluded_payment_method_types: null,
  last_payment_error: null,
  latest_charge: null,
  livemode: false,
  managed_payments: null,
  metadata: intentMetadata,
  next_action: null,
  on_behalf_of: null,
  payment_method: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_method_types: ['card', 'sepa_debit'],
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: 'requires_payment_method',
  transfer_group: null,
});

type Details = Stripe.Charge.PaymentMethodDetails;

/** Only the members that receipts show; cards and accounts have dozens. */
export const CARD = { type: 'card', card: { brand: 'visa', last4: '4242' } } as unknown as Details;
export const DEBIT = { type: 'sepa_debit', sepa_debit: { last4: '3000' } } as unknown as Details;

export const newCharge = (
  { id, created }: Identity,
  intent: Stripe.PaymentIntent,
  { amount, status, details }: { amount: number; status: Stripe.Charge.Status; details: Details },
): Stripe.Charge => ({
  id,
  object: 'charge',
  amount,
  amount_captured: status === 'failed' ? 0 : amount,
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  calculated_statement_descriptor: null,
  captured: status !== 'failed',
  created,
  currency: intent.currency,
  customer: null,
  description: intent.description,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: {},
  livemode: false,
  metadata: { ...intent.metadata },
  on_behalf_of: null,
  outcome: null,
  paid: status === 'succeeded',
  payment_intent: intent.id,
  payment_method: null,
  payment_method_details: details,
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status,
  transfer_data: null,
  transfer_group: null,
});

export const newRefund = (
  { id, created }: Identity,
  charge: Stripe.Charge,
  { amount, metadata }: { amount: number; metadata: Record<string, string> },
): Stripe.Refund => ({
  id,
  object: 'refund',
  amount,
  balance_transaction: null,
  charge: charge.id,
  created,
  currency: charge.currency,
  customer: null,
  customer_account: null,
  metadata,
  payment_intent: charge.payment_intent,
  payment_method: null,
  reason: null,
  receipt_number: null,
  source_transfer_reversal: null,
  status: 'succeeded',
  transfer_reversal: null,
});

export const newDispute = ({ id, created }: Identity, charge: Stripe.Charge): Stripe.Dispute => ({
  id,
  object: 'dispute',
  amount: charge.amount,
  balance_transactions: [],
  charge: charge.id,
  created,
  currency: charge.currency,
  enhanced_eligibility_types: [],
  // Files and texts with which a site responds; this one does so in the account of Stripe.
  evidence: {} as Stripe.Dispute.Evidence,
  evidence_details: {
    due_by: created + 7 * 86_400,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
  } as Stripe.Dispute.EvidenceDetails,
  intended_submission_method: null,
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  payment_intent: charge.payment_intent,
  reason: 'general',
  status: 'needs_response',
});

export const newBalanceTransaction = (
  { id, created }: Identity,
  {
    amount,
    currency,
    fee,
    source,
    type,
  }: { amount: number; currency: string; fee: number; source: string; type: Stripe.BalanceTransaction.Type },
): Stripe.BalanceTransaction => ({
  id,
  object: 'balance_transaction',
  amount,
  available_on: created + 2 * 86_400,
  balance_type: 'payments',
  created,
  currency,
  description: null,
  exchange_rate: null,
  fee,
  fee_details: [],
  net: amount - fee,
  reporting_category: type,
  source,
  status: 'pending',
  type,
});

/** What a page needs to sign in by authorization code with PKCE. */
export interface SignIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly audience: string;
  /** The scopes to ask the provider for. */
  readonly scope: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
}

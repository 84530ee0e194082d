import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/any-character.js'
import type { Field } from '../forms/form.js'
import { type FieldWords, looksSensitive } from './looks-sensitive.js'
import { toWords } from './words.js'

const sensitiveNames = {
  password: [
    ...['password', 'Password', 'PASSWORD', 'userPassword', 'user_password', 'user-password', 'db.password'],
    ...[
      'password1',
      'newPassword',
      'currentPassword',
      'confirmPassword',
      'passwordAgain',
      'dbpassword',
      'passwordHash',
    ],
    ...['pass_word', 'passwd', 'pwd', 'userPwd', 'passphrase', 'pass_phrase', 'passcode', 'passkey', 'dbPass'],
    ...['SMTP_PASS', 'signInPassword', 'wifiPassword', 'credentials', 'awsCredentials', 'loginCredential'],
    ...['contraseña', 'motDePasse', 'mot_de_passe', 'Passwort', 'benutzerPasswort', 'Kennwort', 'senha', 'wachtwoord'],
    ...['пароль', '密码', '密碼', 'パスワード', 'ﾊﾟｽﾜｰﾄﾞ', '비밀번호'],
  ],
  // A PIN is also a postal code in India: without a word that says so, it counts as the secret one.
  pin: ['pin', 'PIN', 'pinCode', 'pin_code', 'pincode', 'PINCode', 'pinNumber', 'userPin', 'cardPin', 'newPin', 'pin2'],
  key: [
    ...['apiKey', 'API_KEY', 'api-key', 'apikey', 'APIKEY', 'APIKey', 'openaiApiKey', 'OPENAI_API_KEY', 'api.key'],
    ...['apiKeys', 'xApiKey', 'myapikey', 'openaiKey', 'OpenAIKey', 'stripeKey', 'awsKey', 'githubKey'],
    ...['secretKey', 'secret_access_key', 'accessKey', 'privateKey', 'private_key', 'PRIVATEKEY', 'sshKey'],
    ...['SSH key', 'gpgKey', 'encryptionKey', 'signingKey', 'masterKey', 'licenseKey', 'licenceKey', 'deployKey'],
    ...['storageAccountKey', 'recoveryKey', 'seedPhrase', 'recoveryPhrase', 'mnemonic', 'mnemonicPhrase', 'seedWords'],
  ],
  token: [
    ...['token', 'TOKEN', 'githubToken', 'GITHUB_TOKEN', 'accessToken', 'access_token', 'accesstoken', 'refreshToken'],
    ...['apiToken', 'authToken', 'bearerToken', 'bearer', 'jwt', 'jwtToken', 'sessionToken', 'personalAccessToken'],
    ...['slackBotToken', 'oauth2Token', 'OAuth2Token', 'passwordResetToken', 'npmToken', 'tokenValue', 'token2'],
    ...['authorizationHeader', 'sessionCookie', 'idToken', 'accessTokens'],
  ],
  secret: [
    ...['secret', 'secrets', 'client_secret', 'clientSecret', 'clientsecret', 'appSecret', 'webhookSecret'],
    ...['sharedSecret', 'awsSecret', 'secretValue', 'connectionString'],
  ],
  'one-time-code': [
    ...[
      'otp',
      'OTP',
      'totp',
      'otpCode',
      'totpSecret',
      'oneTimeCode',
      'one-time code',
      'oneTimePassword',
      '2fa code',
      '2faCode',
    ],
    ...['mfaCode', 'twoFactorCode', 'verificationCode', 'authCode', 'authorizationCode', 'securityCode', 'smsCode'],
    ...['loginCode', 'accessCode', 'backupCodes', 'recoveryCode', 'securityAnswer'],
  ],
  payment: [
    ...['cardNumber', 'card_no', 'card_number', 'cardnumber', 'creditCardNumber', 'creditcardnumber', 'creditCard'],
    ...['debitCard', 'ccNumber', 'cc_num', 'cvv', 'CVV', 'cvv2', 'cvc', 'cardCvc', 'cardSecurityCode', 'cardExpiry'],
    ...['card_expiration_date', 'ccExp', 'giftCardCode', 'iban', 'IBAN', 'bankAccount', 'bank_account_number'],
    ...['routingNumber'],
  ],
}

const harmlessNames = [
  // Tokens that are counted, split, traded or paged through.
  ...['tokenCount', 'maxTokens', 'max_tokens', 'tokenLimit', 'tokens_used', 'tokens', 'inputTokens', 'outputTokens'],
  ...['totalTokens', 'tokenBudget', 'tokenize', 'tokenizer', 'tokenization', 'nextPageToken', 'pageToken', 'stopToken'],
  ...['eosToken', 'costPerToken', 'designToken', 'tokenSymbol', 'tokenAddress', 'tokenIn', 'tokenOut', 'fromToken'],
  ...['toToken', 'tokenType', 'tokenExpiry', 'accessTokenLifetime', 'numberOfAccessTokens', 'erc20Token', 'inputToken'],
  // About a credential.
  ...['passwordless', 'passwordPolicy', 'passwordResetEmail', 'passwordLength', 'minPasswordLength', 'passwordManager'],
  ...['passwordStrength', 'passwordExpiresInDays', 'passwordHint', 'requirePassword', 'usePassword', 'hasPassword'],
  ...['showPassword', 'forgotPassword', 'apiKeyName', 'apiKeyId', 'accessKeyId', 'keyId', 'isSecret'],
  ...['secretName', 'jwtAlgorithm', 'jwtIssuer', 'otpMethod', 'otpEnabled', 'enable2fa', 'mfaMethod', 'twoFactor'],
  ...['credentialType', 'credentialId', 'rotateApiKey', 'revokeToken', '1Password', 'sshKeyPath', '密码长度'],
  // Keys that are not secret.
  ...['key', 'keys', 'keyboard', 'keyword', 'keywords', 'primaryKey', 'foreignKey', 'sortKey', 'partitionKey'],
  ...['publicKey', 'sshPublicKey', 'publishableKey', 'cacheKey', 'keyName', 'monkey', 'turkey', 'hockey', 'keynote'],
  ...[
    'objectKey',
    's3Key',
    'hotkey',
    'musicalKey',
    'productKey',
    'idempotencyKey',
    'translationKey',
    'issueKey',
    'accountKey',
  ],
  // Cards that are not for paying.
  ...[
    'cardinality',
    'cardType',
    'creditCardType',
    'businessCard',
    'card',
    'cardId',
    'cardTitle',
    'cardColor',
    'discard',
  ],
  ...[
    'scorecard',
    'postcard',
    'postcardNumber',
    'libraryCardNumber',
    'loyaltyCardNumber',
    'idCardNumber',
    'cardLast4',
    'cardCode',
  ],
  ...[
    'wildcard',
    'dashboardCard',
    'flashcardNumber',
    'cc',
    'ccEmails',
    'cv',
    'credits',
    'paymentMethod',
    'cardsInHand',
  ],
  // Pins.
  ...['pinned', 'pinColor', 'spinner', 'pinterest', 'pinToTop', 'unpin', 'gpioPin', 'ledPin', 'pinMode', 'mapPin'],
  ...['pinout', 'opinion', 'pineapple', 'shippingPinCode', 'postalPinCode'],
  // Words that only sound alike.
  ...['compass', 'passport', 'passportNumber', 'bypass', 'passenger', 'passed', 'pass', 'boardingPass', 'skiPass'],
  ...['secretary', 'secretSanta', 'tradeSecret', 'secretIngredient', 'authorization', 'author', 'auth', 'authMethod'],
  ...['bearerOfNews', 'seed', 'randomSeed', 'session', 'sessionId', 'security', 'securityQuestion', 'securityGroup'],
  // Other codes and numbers; personal data is not a credential.
  ...['shippingCode', 'zipCode', 'countryCode', 'promoCode', 'couponCode', 'errorCode', 'statusCode', 'areaCode'],
  ...[
    'sourceCode',
    'inviteCode',
    'authorCode',
    'riskFactorCode',
    'bookingConfirmationCode',
    'barcode',
    'codec',
    'accountNumber',
    'orderNumber',
  ],
  ...['socialSecurityNumber', 'ssn', 'phoneNumber', 'birthDate', 'expirationDate', 'swiftCode', 'bic', 'sortCode'],
  ...['username', 'login', 'email', 'name', 'comment', 'wordCount', 'options', 'adoption', 'hotplate', ''],
]

const sensitiveFields: [string, FieldWords, string][] = [
  ['a', { format: 'password' }, 'format'],
  ['a', { format: 'credit-card' }, 'format'],
  ['a', { title: 'Password' }, 'title'],
  ['a', { title: 'API key' }, 'title'],
  ['a', { title: 'GitHub personal access token' }, 'title'],
  ['a', { title: 'Password (at least 8 characters)' }, 'title'],
  ['a', { title: 'Please enter the password for the database' }, 'title'],
  ['a', { title: 'PIN code' }, 'title'],
  ['a', { description: 'Enter your password' }, 'description'],
  ['a', { description: 'your API key' }, 'description'],
  ['a', { description: 'Your OpenAI API key, from the dashboard' }, 'description'],
  ['a', { description: 'credit card number' }, 'description'],
  ['a', { description: 'The API key for the weather service.' }, 'description'],
  ['a', { description: 'To continue with the import enter your new password' }, 'description'],
  ['a', { description: 'Do not share it with others. Enter your password.' }, 'description'],
  ['a', { description: 'Paste a token from your account here' }, 'description'],
  ['a', { description: 'Enter the PIN that we sent' }, 'description'],
  ['a', { description: 'Enter the secret' }, 'description'],
  ['a', { description: 'The 6-digit verification code' }, 'description'],
  ['a', { description: 'Type your seed phrase' }, 'description'],
  ['a', { description: 'Introduzca su contraseña' }, 'description'],
  ['a', { description: 'Entrez votre mot de passe' }, 'description'],
  ['a', { description: 'Geben Sie Ihr Passwort ein' }, 'description'],
  ['a', { description: 'Digite sua senha' }, 'description'],
  ['a', { description: 'Введите пароль' }, 'description'],
  ['a', { description: '请输入您的密码' }, 'description'],
  ['a', { description: 'パスワードを入力してください' }, 'description'],
  ['pin', { type: 'integer', title: 'Number' }, 'name'],
]

const harmlessFields: [string, FieldWords][] = [
  ['a', { description: 'The token budget for the answer' }],
  ['a', { description: 'Number of tokens' }],
  ['a', { description: 'Enter the number of tokens' }],
  ['a', { description: 'The first token of the line' }],
  ['a', { description: 'key of the map' }],
  ['a', { description: 'the card to move' }],
  ['a', { description: 'Enter the card to move' }],
  ['a', { description: 'Do not enter your password here' }],
  ['a', { description: "Please don't type your API key" }],
  ['a', { description: 'We never ask for your password' }],
  ['a', { description: 'The name of the API key to create' }],
  ['a', { description: 'How long the access token should be valid' }],
  ['a', { description: 'Where we send the password reset link' }],
  ['a', { description: 'Whether password login is allowed' }],
  ['a', { description: 'Minimum password length' }],
  ['a', { description: "Your API key's name" }],
  ['a', { description: 'The name of your secret santa' }],
  ['a', { description: 'A secret ingredient' }],
  ['a', { description: 'Pin it to the top of the list' }],
  ['a', { description: 'The account that was locked after a wrong password' }],
  ['a', { description: 'Say whether the card no longer works' }],
  ['a', { title: 'Do not enter passwords' }],
  ['a', { title: 'How many tokens may the answer use at most?' }],
  ['a', { title: 'Keyboard layout', format: 'uri' }],
  ['pin', { title: 'PIN code', description: 'The postal code of the delivery address' }],
  ['pinCode', { title: 'Postal PIN code' }],
  ['password', { type: 'boolean' }],
  ['rememberPassword', { type: 'boolean' }],
  ['credentials', { type: 'string', enum: ['work', 'home'] }],
  ['apiKey', { type: 'string', oneOf: [{ const: 'a', title: 'A' }] }],
  ['secrets', { type: 'array' }],
  ['a', { description: 'Enter your token budget' }],
  ['a', { description: 'Separated by a token' }],
  ['a', { description: '...' }],
  ['pin', { title: 5, description: 'Where we deliver: city and street' }],
]

describe('looksSensitive', () => {
  const cases = Object.entries(sensitiveNames).flatMap(([kind, names]) => names.map(name => ({ kind, name })))
  it.each(cases)('takes the name $name for a $kind', ({ kind, name }) => {
    expect(looksSensitive(name)).toMatchObject({ kind, where: 'name' })
  })

  it.each(harmlessNames)('lets the name %j pass', name => {
    expect(looksSensitive(name)).toBeUndefined()
  })

  it.each(sensitiveFields)('finds %j with %j by its %s', (name, field, where) => {
    expect(looksSensitive(name, field)).toMatchObject({ where })
  })

  it.each(harmlessFields)('lets %j with %j pass', (name, field) => {
    expect(looksSensitive(name, field)).toBeUndefined()
  })

  it('says which words gave it away', () => {
    expect(looksSensitive('x', { title: 'Your OpenAI API-Key' })).toEqual({
      kind: 'key',
      where: 'title',
      match: 'api key',
    })
  })

  it('takes any field of a form', () => {
    const field: Field = { type: 'string', title: 'Password', minLength: 8 }
    expect(looksSensitive('a', field)?.kind).toBe('password')
  })

  it('finds an API key however its name is written', () => {
    const separator = fc.constantFrom('', '_', '-', '.', ' ')
    fc.assert(
      fc.property(fc.constantFrom('api', 'API', 'Api'), separator, fc.constantFrom('key', 'KEY', 'Key'), (a, s, b) => {
        expect(looksSensitive(a + s + b)?.kind).toBe('key')
      }),
    )
  })

  it('never throws, and stays quick on long texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string(), (name, description) => {
        looksSensitive(name, { title: name, description })
      }),
    )
  })

  it('answers on texts of any length', () => {
    const long = 'rotate the card pin of '.repeat(20_000)
    expect(looksSensitive(long, { title: long, description: 'a'.repeat(200_000) })).toBeUndefined()
  })
})

describe('toWords', () => {
  it.each([
    ['openaiAPIKey2', 'openai api key 2'],
    ['SOME__LOUD-name', 'some loud name'],
    ['  Contraseña: ', 'contrasena'],
    ['パスワード', 'パスワード'],
    ['', ''],
  ])('splits %j', (text, words) => {
    expect(toWords(text)).toBe(words)
  })
})

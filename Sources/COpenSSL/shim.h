// libmosquitto brings libssl; the agent gives it a context of its own (docs/decisions/certificates.md).
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Macros that Swift does not see.
static inline void ssl_context_require_tls12(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}
static inline void ssl_set_server_name(SSL *connection, const char *name) {
    SSL_set_tlsext_host_name(connection, name);
}
static inline void ssl_context_set_owner(SSL_CTX *context, void *owner) {
    SSL_CTX_set_app_data(context, owner);
}
static inline void *ssl_owner(SSL *connection) {
    return SSL_CTX_get_app_data(SSL_get_SSL_CTX(connection));
}

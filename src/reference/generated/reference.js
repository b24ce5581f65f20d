/*!
This file contains:

preact 11.2.0

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
var v,De,jt,M,me,re,He,ee,qe,he,ge,Gt,V=Symbol.for("pv"),se={},ie=[],Vt=/^m(i|n|o|s|text|space)$/,ye=Array.isArray,Ue=ie.slice,F=Object.assign;function B(e){e&&e.parentNode&&e.remove()}function te(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:V,__v:r||++De,__i:-1,__u:0};return!r&&v.vnode&&v.vnode(s),s}function P(e){return e.children}function ne(e,t){this.props=e,this.context=t,this.__g=0}function D(e,t){if(t==null)return e.__&&D(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:D(e)}function Jt(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=F({constructor:V},n)).__v=n.__v+1,v.vnode&&v.vnode(t),ve(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||D(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Je(r,t,s),n.__=n.__e=null,t.__e!=o&&Be(t))}function Be(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Be(e)}function $e(e){(8&e.__g||(e.__g|=8,M.push(e),re++))&&me==v.debounceRendering||((me=v.debounceRendering)||queueMicrotask)(Fe)}function Fe(){try{for(var e,t=1;M.length;)M.length>t&&M.sort(He),e=M.shift(),t=M.length,8&e.__g&&Jt(e)}finally{(re=M.length)&&(me||queueMicrotask)(Fe)}}function je(e,t,n,o,r,s,i,l,_,m,u){var y,f,a,h,S,d,p=o.__k||ie,g=t.length;for(_=Kt(n,t,p,_,g),y=0;y<g;y++)(a=n.__k[y])!=null&&(f=~a.__i&&p[a.__i]||se,a.__i=y,d=ve(e,a,f,r,s,i,l,_,m,u),h=a.__e,(f.ref!=a.ref||8&f.__u)&&(f.ref&&be(f.ref,null,a,f),a.ref&&u.push(a.ref,a.__c||h,a)),S=S||h,4&a.__u?(_=Ge(a,_,e,!f.__v),f.__e&&(f.__e=null)):typeof a.type=="function"&&d!==void 0?_=d:h&&(_=h.nextSibling),a.__u&=-21);return n.__e=S,_}function Kt(e,t,n,o,r){var s,i,l,_,m,u,y,f,a,h=n.length,S=h,d=0,p=0,g=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=g[s]=te(null,i):ye(i)?i=g[s]=te(P,{children:i}):i.constructor===V&&i.__b?i=g[s]=te(i.type,i.props,i.key,i.ref,i.__v):g[s]=i,_=s+d,i.__=e,i.__b=e.__b+1,l=null,~(m=i.__i=Wt(i,n,_,S))&&(S--,(l=n[m])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,m==_-1?d--:m==_+1?d++:m!=_&&(m>_?d--:d++,p=1)):(~m||(r>h?d--:r<h&&d++),typeof i.type!="function"&&(i.__u|=4))):g[s]=null;if(p){for(u=[],y=[],s=0;s<r;s++)if((i=g[s])&&16&i.__u){for(d=0,f=u.length;d<f;)u[a=d+f>>1]<i.__i?d=a+1:f=a;u[d]=i.__i,y[s]=d+1}for(d=u.length;s--;)y[s]&&(y[s]==d?d--:g[s].__u|=4)}if(S)for(s=0;s<h;s++)!(l=n[s])||2&l.__u||(l.__e==o&&(o=D(l)),xe(l,l));return o}function Ge(e,t,n,o){var r,s,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=Ge(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=D(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Wt(e,t,n,o){var r,{key:s,type:i}=e,l=t[n],_=l&&!(2&l.__u);if(l===null&&s==null||_&&s==l.key&&i==l.type)return n;if(o>(_?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&s==l.key&&i==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&s==l.key&&i==l.type)return r}return-1}function Me(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Z(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Me(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Me(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=ge[t]||(ge[t]=Yt(t)),(e.__a||(e.__a={}))[t]=he,s=t!=(t=t.replace(qe,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(l){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Yt(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[ee]==null)t[ee]=he++;else if(t[ee]<this.__a[e])return;return n(v.event?v.event(t):t)}}}function ve(e,t,n,o,r,s,i,l,_,m){var u,y,f,a,h,S,d,p,g,x,b,fe,Re,Q,q,Le,L,U,R=t.type;if(t.constructor!==V)return null;128&n.__u&&(_=32&n.__u,u=n.__c.__z)&&(t.__u|=_,y=s=[],u.nodeType==8?l=oe(u,s):s.push(u),l=s[0]||l),(u=v.__b)&&u(t);e:if(typeof R=="function"){f=i.length;try{if(p=t.props,g=(u=R.prototype)&&u.render,x=(u=R.contextType)&&o[u.__c],b=u?x?x.props.value:u.__:o,(a=n.__c)?(t.__c=a,2&a.__g&&(a.__g|=1)):(g?t.__c=a=new R(p,b):(t.__c=a=new ne(p,b),a.constructor=R,a.render=Xt),x&&x.sub(a),a.state||(a.state={}),a.__n=o,a.__g|=8,a.__h=[],a.__k=[]),g&&(a.__s||(a.__s=a.state),R.getDerivedStateFromProps&&(a.__s==a.state&&(a.__s=F({},a.__s)),F(a.__s,R.getDerivedStateFromProps(p,a.__s)))),h=a.props,S=a.state,a.__v=t,n.__c){if(p!==h&&g&&!R.getDerivedStateFromProps&&a.componentWillReceiveProps&&a.componentWillReceiveProps(p,b),t.__v==n.__v&&!(8&a.__g)||!(4&a.__g)&&a.shouldComponentUpdate&&a.shouldComponentUpdate(p,a.__s,b)===!1){t.__v!=n.__v&&(a.props=p,a.state=a.__s,a.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(A){A&&(A.__=t)}),ie.push.apply(a.__h,a.__k),a.__k=[],a.__h.length&&i.push(a),l=D(n);break e}a.componentWillUpdate&&a.componentWillUpdate(p,a.__s,b),g&&a.componentDidUpdate&&a.__h.push(function(){a.componentDidUpdate(h,S,d)})}else g&&!R.getDerivedStateFromProps&&a.componentWillMount&&a.componentWillMount(),g&&a.componentDidMount&&a.__h.push(a.componentDidMount);a.context=b,a.props=p,a.__P=e,a.__g&=-5,fe=v.__r,Re=g?25:0;do a.__g&=-9,fe&&fe(t),u=a.render(a.props,a.state=a.__s,a.context);while(8&a.__g&&++Re<25);g&&(ie.push.apply(a.__h,a.__k),a.__k=[]),a.state=a.__s,a.getChildContext&&(o=F({},o,a.getChildContext())),g&&n.__c&&a.getSnapshotBeforeUpdate&&(d=a.getSnapshotBeforeUpdate(h,S)),Q=u&&u.type===P&&u.key==null?u.props.children:u,p.__P&&(u=l,r=(e=p.__P).namespaceURI,_=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(A){A&&xe(A,A)}),n.__k=null),l=n.__k?D(n,0):null),l=je(e,ye(Q)?Q:[Q],t,n,o,r,s,i,l,_,m),p.__P&&(t.__e=null,l=u),t.__u&=-161,y&&y.some(B),a.__h.length&&i.push(a),1&a.__g&&(a.__g&=-4)}catch(A){if(i.length=f,t.__v=null,_||s)if(A&&A.then){if(t.__u|=128|_,s){for(~(L=s.indexOf(l||void 0))||(L=s.length);(U=s[L-1])&&U.nodeType==8;)L--;for(;L<s.length;L++)if(U=s[L])if(s[L]=null,q){if(U==Le)break}else{if(U.nodeType!=8)break;U.data.startsWith("$s")&&(Le=oe(q=U))}}if(!q){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;q=l}(u=oe(q=t.__c.__z||(t.__c.__z=q)))?(t.__e=q,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(B);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),A&&A.then||Ve(t),v.__e(A,t,n)}}else l=t.__e=zt(n.__e,t,n,o,r,s,i,_,m,e);return(u=v.diffed)&&u(t),l}function oe(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Ve(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ve))}function Je(e,t,n){for(var o=0;o<n.length;)be(n[o++],n[o++],n[o++]);v.__c&&v.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){v.__e(s,r.__v)}})}function zt(e,t,n,o,r,s,i,l,_,m){var u,y,f,a,h,S,d,p,g=n.props||se,{props:x,type:b}=t;if(b=="svg"?r="http://www.w3.org/2000/svg":b=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((h=s[u])&&(b?h.localName==b:h.nodeType==3)){e=h,s[u]=null;break}}if(!e){if(p=m.ownerDocument||document,!b)return p.createTextNode(x);e=p.createElementNS(r,b,x.is?x:m),l&&(v.__m&&v.__m(t,s),l=!1),s=null}if(b){if(m=b=="template"&&e.content||e,s=b=="textarea"&&x.defaultValue!=null?null:s&&Ue.call(m.childNodes),!l&&s)for(g={},u=0;u<e.attributes.length;u++)g[(h=e.attributes[u]).name]=h.value;for(u in g)h=g[u],u=="dangerouslySetInnerHTML"?f=h:u=="children"||(u in x)||u=="value"&&("defaultValue"in x)||u=="checked"&&("defaultChecked"in x)||Z(e,u,null,h,r);for(u in x)h=x[u],u=="children"?a=h:u=="dangerouslySetInnerHTML"?y=h:u=="value"?S=h:u=="checked"?d=h:l&&typeof h!="function"||g[u]===h||Z(e,u,h,g[u],r);y?(l||f&&(y.__html==f.__html||y.__html==e.innerHTML)||(e.innerHTML=y.__html),t.__k=[]):(f&&(e.textContent=""),(b=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Vt.test(b))&&(r="http://www.w3.org/1999/xhtml"),je(m,ye(a)?a:[a],t,n,o,r,s,i,s?s[0]:n.__k&&D(n,0),l,_),s&&s.some(B)),l&&b!="textarea"||(u="value",b=="progress"&&S==null?e.removeAttribute(u):S==null||S===e[u]&&(b!="progress"||S)||Z(e,u,S,g[u],r),u="checked",d!=null&&d!=e[u]&&Z(e,u,d,g[u],r))}else g===x||l&&e.data==x||(e.data=x);return e}function be(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){v.__e(r,n)}}function xe(e,t,n){var o,r,s,i;if(v.unmount&&v.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||be(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){v.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&xe(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=oe(o,s=[]))&&(o==e.__e&&s.some(B),B(r),B(o)),n||B(e.__e),e.__e=e.__c=e.__=null}function Xt(e,t,n){return this.constructor(e,n)}function Qt(e,t){var n,o,r,s;v.__&&v.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=te(P,{children:[e]}),r=[],s=[],ve(t,t.__k,o||se,se,t.namespaceURI,o?null:t.firstChild?Ue.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),Je(r,t.__k,s),t.__k.props.children=null}function Ke(e,t){e&&typeof e=="object"&&(e.__u|=32),Qt(e,t)}v={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw re=0,e}},De=0,jt=function(e){return e!=null&&e.constructor===V},ne.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=F({},this.state)),typeof e=="function"&&(e=e(F({},n),this.props)),e&&(F(n,e),this.__v&&(t&&this.__k.push(t),$e(this)))},ne.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),$e(this))},ne.prototype.render=P,M=[],re=0,He=function(e,t){return e.__v.__b-t.__v.__b},ee=Symbol(),qe=/(PointerCapture)$|Capture$/i,he=0,ge={},Gt=0;var K,C,Se,We,Ee=Object.is,ae=0,ot=[],Ce=[],E=v,{__b:Ye,__r:ze,diffed:Xe,__c:Qe,unmount:Ze,__:et}=E;function Ae(e,t){E.__h&&E.__h(C,e,ae||t),ae=0;var n=C.__H||(C.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function k(e){return ae=1,Zt(st,e)}function Zt(e,t,n){var o=Ae(K++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):st(void 0,t),function(s){var i=(o.__N||o.__)[0],l=o.t(i,s);Ee(i,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=C,!C.__f)){C.__f=!0;var r=C.shouldComponentUpdate;C.shouldComponentUpdate=function(s,i,l){var _=this.__H;if(!_)return!0;var m=!1,u=this.props!=s;if(_.__.some(function(f){f.__N&&(m=!0,Ee(f.__[0],f.__N[0])||(u=!0))}),r){var y=r.call(this,s,i,l);return m?y||u:y}return!m||u}}return o.__}function j(e,t){var n=Ae(K++,4);!E.__s&&rt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,C.__h.push(n))}function le(e){return ae=5,en(function(){return{current:e}},[])}function en(e,t){var n=Ae(K++,7);return rt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function tn(){var e;do{for(;e=Ce.shift();)try{J(e)}catch(n){E.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=ot.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(J),t.__h.some(Te),t.__h=[]}catch(n){t.__h=[],E.__e(n,e.__v)}}}while(Ce.length)}E.__b=function(e){C=null,Ye&&Ye(e)},E.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),et&&et(e,t)},E.__r=function(e){ze&&ze(e),K=0;var t=(C=e.__c).__H;t&&(Se==C?C.__h=[]:(t.__h.some(J),t.__h.some(Te),K=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Se=C},E.diffed=function(e){Xe&&Xe(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&nt(ot.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Se=C=null},E.__c=function(e,t){t.some(function(n){try{n.__h.some(J),n.__h=n.__h.filter(function(o){return!o.__||Te(o)})}catch(o){n.__h=[function(){throw o}]}}),Qe&&Qe(e,t)},E.unmount=function(e){Ze&&Ze(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,nt(Ce.push(r))}else J(r)}catch(s){t=s}}),o.__H=void 0,t&&E.__e(t,o.__v))};var tt=typeof requestAnimationFrame=="function";function nn(e){var t,n=function(){clearTimeout(o),tt&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);tt&&(t=requestAnimationFrame(n))}function nt(e){e!=1&&We==E.requestAnimationFrame||((We=E.requestAnimationFrame)||nn)(tn)}function J(e){var t=C,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),C=t}function Te(e){var t=C;e.__c=e.__(),C=t}function rt(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Ee(n,e[o])})}function st(e,t){return typeof t=="function"?t(e):t}var on=Symbol.for("pv"),rn=0;function c(e,t,n,o,r,s){t||(t={});var i,l,_=t;if("ref"in _&&typeof e!="function")for(l in _={},t)l=="ref"?i=t[l]:_[l]=t[l];var m={type:e,props:_,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:on,__v:--rn,__i:-1,__u:0};return(r||s)&&(m.__source=r,m.__self=s),v.vnode&&v.vnode(m),m}function W({language:e,code:t}){return c("pre",{class:"code",tabIndex:0,children:c("code",{children:ln(e,t).map(({kind:n,text:o})=>n===void 0?o:c("span",{class:`code-${n}`,children:o}))})})}function it(){return c("button",{type:"button",class:"copy secondary small","aria-live":"polite",children:"Copy"})}var sn=ke({name:/"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,comment:/(?:\/\/|#).*/,string:/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,number:/(?<![\w.])-?\d+(?:\.\d+)?n?\b/,keyword:new RegExp("\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|with|as|try|except|raise|package|func|var|defer|nil)\\b")}),an={curl:ke({comment:/(?<=^|\s)#.*/,string:/'[^']*'?|"[^"]*"?/,keyword:/(?<=\s)--?[a-zA-Z][\w-]*/,name:/^curl\b/}),http:ke({name:/^[\w-]+(?=:)/})};function ke(e){let t=Object.entries(e).map(([n,{source:o}])=>`(?<${n}>${o})`);return new RegExp(t.join("|"),"gm")}function ln(e,t){let n=[],o=0;for(let{0:r,index:s,groups:i={}}of t.matchAll(an[e]??sn)){if(r==="")continue;if(s>o)n.push({text:t.slice(o,s)});n.push({kind:Object.keys(i).find((l)=>i[l]!==void 0),text:r}),o=s+r.length}if(o<t.length)n.push({text:t.slice(o)});return n}function H(e){return`${e}/pets?limit=100`}var we="/v1";var at="/docs/errors";var lt="/docs/search.json",ut="/docs/search.js";var ct="/client.tgz",Zn={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${we}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var pt=-(2n**63n),dt=2n**63n-1n,to=`must be an integer from ${pt} to ${dt}`,un=/^(?:0|-?[1-9][0-9]{0,18})$/,cn=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;function _t(e){return e>=pt&&e<=dt}function pn(e){if(!un.test(e))return;let t=BigInt(e);return _t(t)?t:void 0}function ft(e){let t=pn(e);if(t!==void 0||!/[.eE]|^-0$/.test(e))return t;let n=cn.exec(e);if(n===null)return;let[,o,r="",s="",i="0"]=n,l=r+s,_=0;while(l.charCodeAt(_)===48)_++;let m=l.length;while(m>_&&l.charCodeAt(m-1)===48)m--;let u=l.slice(_,m);if(u==="")return 0n;let y=Number(i)-s.length+(l.length-m);if(y<0||u.length+y>19)return;let f=BigInt(`${o}${u}${"0".repeat(y)}`);return _t(f)?f:void 0}class ce extends Error{name="JsonSyntaxError"}var mt=64,dn=1000,Pe=34,_n=92,fn=32,mn=57,Oe=/[ \n\r\t]*/y,ht="\\u0000-\\u001F",gt=new RegExp(`[${ht}]`,"g"),gn=new RegExp(`[\\\\${ht}]`),ue=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function yt(e,t=Number.POSITIVE_INFINITY){let n=0,o=-1;function r(d){throw new ce(`is not valid JSON: ${d} at character ${n+1}`)}function s(){if(e.charCodeAt(n)>fn)return;Oe.lastIndex=n,Oe.test(e),n=Oe.lastIndex}function i(d){if(!e.startsWith(d,n))return!1;return n+=d.length,!0}function l(){let d=n;if(n=e.indexOf('"',d+1),_(n))n=m(n+1);if(n===-1)u(d,e.length,"a string has no end");n++;let p=e.slice(d+1,n-1);if(!gn.test(p))return p;try{return JSON.parse(e.slice(d,n))}catch{return u(d,n,"a string has an invalid escape")}}function _(d){let p=d;while(e[p-1]==="\\")p--;return(d-p)%2===1}function m(d){for(let p=d;p<e.length;p++){let g=e.charCodeAt(p);if(g===Pe)return p;if(g===_n)p++}return-1}function u(d,p,g){if(gt.lastIndex=d,n=gt.exec(e)?.index??p,n<p)r("a string has an unescaped control character");n=p,r(g)}function y(){if(ue.lastIndex=n,!ue.test(e))r("expected a value");let d=e.slice(n,ue.lastIndex);return n=ue.lastIndex,ft(d)??(d.length>dn?Number.NaN:Number(d))}function f(d){let p=[];if(s(),i("]"))return p;do p.push(h(d));while(i(","));if(!i("]"))r('expected "," or "]"');return p}function a(d){let p=Object.create(null);if(s(),i("}"))return p;do{if(s(),e.charCodeAt(n)!==Pe)r("expected the name of a field in double quotes");let g=n,x=l();if(x in p)n=g,r("a field is repeated");if(s(),!i(":"))r('expected ":"');p[x]=h(d)}while(i(","));if(!i("}"))r('expected "," or "}"');return p}function h(d){if(d>mt)throw new ce(`is nested deeper than ${mt} levels`);if(++o>t)throw new ce(`has more than ${t} values`);s();let p,g=e.charCodeAt(n);if(g===Pe)p=l();else if(g<=mn)p=y();else if(i("{"))p=a(d+1);else if(i("["))p=f(d+1);else if(i("true"))p=!0;else if(i("false"))p=!1;else if(i("null"))p=null;else r("expected a value");return s(),p}let S=h(1);if(n<e.length)r("expected the end");return S}function pe(e,t){return JSON.stringify(e,(o,r)=>typeof r==="bigint"?JSON.rawJSON(String(r)):r,t)}function N({baseUrl:e,path:t,values:n}){let o=t.replace(/\{(\w+)\}/g,(s,i)=>encodeURIComponent((n.path[i]??"").toWellFormed())),r=new URLSearchParams(n.query);return`${e}${o}${r.size>0?`?${r}`:""}`}function O({values:e,otherBody:t}){return t??(e.body&&pe(e.body))}function I(e){let t=Object.entries(e.values.header);if(O(e)!==void 0)t.push(["Content-Type","application/json"]);return t}function vt(e){return`npm install ${e.slice(0,-we.length)}${ct}`}var bt={id:"curl",title:"curl",request(e){let t=O(e),n=["-i --fail-with-body",'-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...I(e).map(([o,r])=>`-H ${Ne(`${o}: ${r}`)}`),...t===void 0?[]:[`--data-raw ${Ne(t)}`]];return[`curl -X ${e.method} ${Ne(N(e))}`,...n].join(" \\\n  ")},pageLoop:(e)=>`url='${H(e)}'
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || exit 1
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done`};function Ne(e){return`'${e.replaceAll("'","'\\''")}'`}var Y=/^-?(?:0|[1-9][0-9]*)$/,hn=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function w(e){return JSON.stringify(e).replace(hn,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function T(e){return`'${w(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var de={id:"fetch",title:"JavaScript",request(e){let t=O(e),n=I(e).map(([o,r])=>`    ${T(o)}: ${T(r)},
`);return`const response = await fetch(${T(N(e))}, {
  method: '${e.method}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
${n.join("")}  },
${t===void 0?"":`  body: ${T(t)},
`}});

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);`},pageLoop:(e)=>`let url = ${T(H(e))};
while (url !== undefined) {
  const response = await fetch(url, {
    headers: { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
  const link = response.headers.get('Link');
  url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
}`};var xt={id:"go",title:"Go",request(e){let t=O(e),n=["fmt","io","log","net/http","os"];if(t!==void 0)n.push("strings");let o=I(e).map(([r,s])=>`	request.Header.Set(${w(r)}, ${w(s)})
`);return`package main

import (
${n.map((r)=>`	"${r}"
`).join("")})

func main() {
	request, err := http.NewRequest(
		"${e.method}",
		${w(N(e))},
		${t===void 0?"nil":`strings.NewReader(${yn(t)})`},
	)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
${o.join("")}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}`},pageLoop:(e)=>`package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
)

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := ${w(H(e))}
	for url != "" {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode >= 300 {
			log.Fatal(response.Status, string(body), err)
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}`};function yn(e){let t=w(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}var St={id:"python",title:"Python",request(e){let t=O(e),n=I(e).map(([o,r])=>`        ${w(o)}: ${w(r)},
`);return`import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${w(N(e))},
    method="${e.method}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
${n.join("")}    },
${t===void 0?"":`    data=${T(t)}.encode(),
`})

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")`},pageLoop:(e)=>`import json
import os
import re
import urllib.request

url = ${w(H(e))}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request) as response:
        for pet in json.load(response):
            print(pet)
        link = response.headers.get("Link", "")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]`};var Et={id:"int64",name:"text",categoryId:"int64",status:"text"};var At={id:"typescript",title:"TypeScript",request(e){let{operation:t,baseUrl:n,values:o,otherBody:r}=e;if(r!==void 0)return`// The client sends only pets. Other JSON needs fetch.
${de.request(e)}`;return`${Ct(n)}

${vn[t](o)}`},pageLoop:(e)=>`${Ct(e)}

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);`};function Ct(e){return`// ${vt(e)}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: ${T(e)} });`}var vn={listPets({query:e}){return`const page = await store.listPets(${Tt(e,(n,o)=>bn[n](o))});
console.log(page.pets);`},createPet({body:e={},header:t}){let n=Tt(e,xn),o=t["Idempotency-Key"],r=o===void 0?"":`, { idempotencyKey: ${T(o)} }`;return`const pet = await store.createPet(${n}${r});
console.log(pet);`},getPet:({path:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${kt(e.petId??"")});
console.log(pet); // undefined if there is none`},bn={limit:(e)=>Y.test(e)?e:T(e),status:T,after:kt};function kt(e){return Y.test(e)?`${e}n`:T(e)}function xn(e,t){if(typeof t==="string")return T(t);return Et[e].startsWith("int64")?`${t}n`:`${t}`}function Tt(e,t){let n=Object.entries(e).map(([o,r])=>`  ${o}: ${t(o,r)},
`);return n.length===0?"":`{
${n.join("")}}`}var _e=[bt,At,de,St,xt];class z extends EventTarget{#t;#e;constructor(e,t){super();this.#e=wt(()=>e().getItem(t))??"",this.#t=(n)=>wt(()=>e().setItem(t,n))}get value(){return this.#e}set(e){this.#e=e,this.#t(e),this.dispatchEvent(new Event("change"))}}function X(e,t){let[n,o]=k(t);return j(()=>{let r=()=>o(e.value);e.addEventListener("change",r),r()},[e]),n}function wt(e){try{return e()}catch{return}}var G=new z(()=>sessionStorage,"animal-store.key");function Pt(e){let t=X(G,"");return c("form",{class:"key-field needs-script",onSubmit:(n)=>n.preventDefault(),children:[c("label",{for:"api-key",children:["API key ",c("span",{class:"note",children:"kept until the tab closes"})]}),c("input",{id:"api-key",type:"password",autocomplete:"off",placeholder:"ask_…",value:t,onInput:({currentTarget:n})=>G.set(Sn(n.value))})]})}function Sn(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}var En=["bad","neutral","good","info","warning","bad"];function Ot({status:e,title:t}){return c("span",{class:`badge status ${En[Math.floor(e/100)]}`,children:t??e})}function Nt({outcome:e,isSending:t}){let{title:n,status:o=0,note:r,body:s,headers:i,errorCode:l}=e;return c("div",{class:"response","aria-busy":t,children:[c("p",{role:"status",class:"line",children:t?"Sending…":c(P,{children:[c(Ot,{status:o,title:n})," ",c("span",{class:"note",children:r})]})}),l!==void 0&&c("p",{class:"error-code",children:["Error"," ",c("a",{href:`.${at}#${l}`,children:c("code",{children:l})}),": what it means and what to do"]}),s&&c(W,{language:"json",code:Cn(s)}),i!==void 0&&c("details",{children:[c("summary",{children:["Headers ",c("span",{class:"note",children:i.length})]}),c(W,{language:"http",code:i.map(([_,m])=>`${_}: ${m}`).join(`
`)})]})]})}function Cn(e){try{return pe(yt(e),2)}catch{return e}}var Tn=/#(\w+)>; rel="help"/,An=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function It(e){let[t,n]=k(e),[o,r]=k(!1),s=le(void 0);return{outcome:t,isSending:o,sendOrCancel:async(l)=>{if(s.current!==void 0)return s.current.abort();s.current=new AbortController,r(!0),n(await kn(l,s.current.signal)),r(!1),s.current=void 0}}}async function kn(e,t){let{method:n}=e,o=I(e);if(G.value!=="")o.push(["Authorization",`Bearer ${G.value}`]);let r=performance.now();if(o.some(([,s])=>/[^\x20-\x7e]/.test(s)))return{title:"Not sent",note:wn};try{let s=await fetch(N(e),{method:n,headers:o,signal:t,body:O(e)??null,cache:"no-store",credentials:"omit"});return await On(s,r)}catch(s){if(!t.aborted)return{title:"No response",note:`${Pn} ${s}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var wn="A header may contain only ASCII characters. Check your API key.",Pn="The service cannot be reached from this page. Check your connection and the headers.";async function On(e,t){let{status:n,statusText:o,headers:r}=e,s=await e.text(),i=r.get("Link")??"";return{title:`${n} ${o}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${Nn(r)}`,body:s,headers:[...r],nextAfter:An.exec(i)?.[1],errorCode:Tn.exec(i)?.[1]}}function Nn(e){let[t,n,o]=["Limit","Remaining","Reset"].map((s)=>e.get(`X-RateLimit-${s}`));if(!o)return"";let r=new Date(Number(o)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${r}`}function $t({id:e,request:t,example:n}){let o=le(null),[r,s]=k(t),{outcome:i,isSending:l,sendOrCancel:_}=It(n),m=X(G,"rendered")!=="",{nextAfter:u}=i;j(()=>{let f=o.current?.closest("form");if(!f)return;let a=()=>s(Lt(f,t));f.addEventListener("input",a),f.addEventListener("submit",(h)=>{h.preventDefault(),a(),_(Lt(f,t))}),a()},[]);let y=()=>{let f=o.current?.closest("form"),a=f?.querySelector("[name=after]");if(!f||!a)return;a.value=u??"",f.requestSubmit()};return c("div",{class:"panel",ref:o,children:[c(Dt,{codeOf:(f)=>f.request(r)}),c("div",{class:"line send needs-script",children:[c("button",{type:"submit",onClick:(f)=>f.detail>1&&f.preventDefault(),children:[l?"Cancel":"Send",c("span",{class:"hidden",children:[" ",r.operation]})]}),m||c("a",{href:"#api-key",children:"Enter your API key"})]}),c(Nt,{outcome:i,isSending:l}),e===r.operation&&u!==void 0&&c("p",{children:c("button",{type:"button",class:"secondary",onClick:y,children:"Next page"})})]})}function Mt({baseUrl:e}){let[t,n]=k(e);return j(()=>n(Ht()),[]),c("div",{class:"panel",children:c(Dt,{codeOf:(o)=>o.pageLoop(t)})})}var Rt=new z(()=>localStorage,"animal-store.language");function Dt({codeOf:e}){let t=X(Rt,""),n=_e.find(({id:o})=>o===t)??_e[0];return c(P,{children:[c("div",{class:"line needs-script",children:[c("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:o})=>Rt.set(o.value),children:_e.map(({id:o,title:r})=>c("option",{value:o,children:r},o))}),c(it,{})]}),c(W,{language:n.id,code:e(n)})]})}function Lt(e,t){let n=structuredClone(t.values);for(let{name:r,value:s,inputMode:i,dataset:l}of e.querySelectorAll("[data-place]")){let _=n[l.place]??{},m=s.trim(),u=_===n.body,y=u&&i==="numeric"&&Y.test(m),f=u&&l.type==="boolean";if(_[r]=y?BigInt(m):f?m==="true":m,m==="")delete _[r]}let o=e.querySelector("details[open] textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:Ht(),values:n,otherBody:o}}function Ht(){return new URL("./v1",location.href).href}function qt({root:e}){let[t,n]=k(""),[o,r]=k(),[s,i]=k("Loading…");j($n,[]);let l=async()=>{try{let u=o??await Ln(e);r(()=>u)}catch{i("Search is not available. Reload the page to try again.")}},_=o?.(t)??[],m=()=>{n(""),document.activeElement.blur()};return c("search",{class:"search needs-script",onKeyDown:(u)=>u.key==="Escape"?m():In(u),children:[c("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Type / to search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:u})=>n(u.value),onFocus:l}),c("div",{class:"search-list",hidden:t==="",children:[_.map(({title:u,place:y,text:f,href:a})=>c("a",{href:e+a,tabIndex:0,onClick:m,children:[c("b",{children:u}),c("span",{class:"note",children:y}),c("span",{class:"search-text note",children:f})]},a)),c("p",{role:"status",class:"note",children:o===void 0?s:Rn(_)})]})]})}function In(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function Rn({length:e}){return e===1?"1 result":`${e||"No"} results`}async function Ln(e){let t=(r)=>new URL(e+r.slice(1),location.href).href,[{newSearch:n},o]=await Promise.all([import(t(ut)),fetch(t(lt))]);return n(await o.json())}function $n(){document.addEventListener("keydown",(e)=>{let{key:t,ctrlKey:n,metaKey:o,altKey:r,target:s}=e;if(t!=="/"||n||o||r)return;if(s instanceof Element&&s.matches("input, select, textarea"))return;e.preventDefault(),document.getElementById("search")?.focus()})}var Mn={"code-panel":$t,"loop-panel":Mt,"key-field":Pt,"search-box":qt};function Ut(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,o=Mn[t];Ke(c(o,{...JSON.parse(n)}),e)}}function Bt(e){let t=new Map,n=new IntersectionObserver((o)=>{for(let{target:r,isIntersecting:s}of o){let i=t.get(r);if(i?.removeAttribute("aria-current"),i===void 0||!s)continue;i.setAttribute("aria-current","location"),Dn(e,i)}},{rootMargin:"-20% 0px -80%"});for(let o of e.querySelectorAll("li a")){let r=document.getElementById(o.hash.slice(1));if(r===null||o.pathname!==location.pathname)continue;t.set(r,o),n.observe(r)}}function Dn(e,t){let n=e.getBoundingClientRect(),o=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(o)>n.height/4)e.scrollTop+=o}function Ft(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var Hn=2000;Ut();qn();var Ie=document.getElementById("navigation");if(Ie!==null)Bt(Ie),Ft(Ie);function qn(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),o=t?.firstChild;if(!n||!o)return;await Un(n),o.nodeValue="Copied",setTimeout(()=>{o.nodeValue="Copy"},Hn)})}async function Un(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
